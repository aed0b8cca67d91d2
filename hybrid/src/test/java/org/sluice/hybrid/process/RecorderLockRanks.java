package org.sluice.hybrid.process;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;

/**
 * Program of {@code FlightRecorderProcessTest}: under the lock that the recorder has while it looks at all classes of events, and waits for each that is being initialized, another thread initializes
 * those of devices.
 */
final class RecorderLockRanks {
    private static final long PATIENCE_S = 10;
    private static final String EVENTS = "org.sluice.hybrid.observe.FlightEvent$";

    private RecorderLockRanks() {
    }

    public static void main(String[] args) throws Exception {
        try (Recording recording = new Recording()) {
            for (String event : args) {
                // In JDK 17 loading waits for the lock too, with nobody waiting for it.
                Class.forName(EVENTS + event, false, RecorderLockRanks.class.getClassLoader());
            }
            recording.start();
            Class<?> repository = Class.forName("jdk.jfr.internal.MetadataRepository");
            var getInstance = repository.getDeclaredMethod("getInstance");
            getInstance.setAccessible(true);
            Object lock = getInstance.invoke(null);
            synchronized (lock) {
                for (String event : args) {
                    Say.line(event + " " + isInitialized(event));
                }
            }
        }
    }

    private static boolean isInitialized(String event) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            try {
                Class.forName(EVENTS + event);
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
