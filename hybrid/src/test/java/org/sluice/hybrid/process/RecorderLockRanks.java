package org.sluice.hybrid.process;

import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;

/**
 * Program of {@code FlightRecorderProcessTest}: under the lock that the recorder has while it looks at all classes of
 * events, and waits for each that is being initialized, another thread initializes those of devices.
 */
final class RecorderLockRanks {
    private static final long PATIENCE_S = 10;

    private RecorderLockRanks() {}

    public static void main(String[] args) throws Exception {
        try (Recording recording = new Recording()) {
            recording.start();
            // In JDK 17 loading waits for the lock too, with nobody waiting for it.
            Class<?>[] events = Class.forName(
                            "org.sluice.hybrid.observe.FlightEvent", false, RecorderLockRanks.class.getClassLoader())
                    .getNestMembers();
            Class<?> repository = Class.forName("jdk.jfr.internal.MetadataRepository");
            Method getInstance = repository.getDeclaredMethod("getInstance");
            getInstance.setAccessible(true);
            synchronized (getInstance.invoke(null)) {
                for (Class<?> event : events) {
                    Say.check(isInitialized(event), event + " waits for the lock");
                    Say.line(event.getSimpleName() + " waits for nothing");
                }
            }
        }
    }

    private static boolean isInitialized(Class<?> event) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            try {
                Class.forName(event.getName());
                done.countDown();
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done.await(PATIENCE_S, TimeUnit.SECONDS);
    }
}
