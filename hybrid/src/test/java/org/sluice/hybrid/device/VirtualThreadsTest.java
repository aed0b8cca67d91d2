package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.counter.Counter;

/** Blocking calls of virtual threads park in Java: far more of them wait at once than there are carriers. */
final class VirtualThreadsTest {
    private static final int THREADS = 300;
    private static final int ROUNDS = 5;
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final String AT_ONCE = " sluice.wait.spin.us=0 sluice.wait.yield.us=0";

    private static void assumeVirtualThreads() {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads came with JDK 21, and this is " + Runtime.version().feature());
    }

    /** Who spins long may have its message before it parks; with neither spinning nor yielding whoever waits parks. */
    @ParameterizedTest
    @ValueSource(strings = {"sluice.channels=threads", "sluice.channels=shm", "sluice.channels=threads" + AT_ONCE, "sluice.channels=shm" + AT_ONCE,
        "sluice.channels=shm sluice.progress.threads=1" + AT_ONCE})
    void hundredsWaitForEachOtherOnAFewCarriers(String options) throws Exception {
        assumeVirtualThreads();
        exchange(options);
    }

    /** There would be an event for each thread that waits and can't leave its carrier: for a native frame or, on 21, a monitor. */
    @Test
    void noneHoldsItsCarrierWhileItWaits(@TempDir Path folder) throws Exception {
        assumeVirtualThreads();
        Path file = folder.resolve("recording.jfr");
        try (Recording before = new Recording(); Recording recording = new Recording()) {
            // Who loads or waits for a class is pinned, and that once: also those that are loaded when something is recorded.
            before.start();
            exchangeAtOnce();
            recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            exchangeAtOnce();
            ExecutorService virtual = virtualThreads();
            virtual.submit(Pinned::wait20Ms).get(20, TimeUnit.SECONDS);
            virtual.shutdown();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> ofSluice = new ArrayList<>();
        int onPurpose = 0;
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().equals(PINNED)) {
                onPurpose += passes(event, Pinned.class.getName()) ? 1 : 0;
                if (passes(event, "org.sluice.") && !passes(event, Pinned.class.getName())) {
                    ofSluice.add(event);
                }
            }
        }
        assertTrue(onPurpose > 0, "not even the one that is pinned on purpose was recorded");
        assertEquals(List.of(), ofSluice);
    }

    private static void exchangeAtOnce() throws Exception {
        exchange("sluice.channels=threads" + AT_ONCE);
        exchange("sluice.channels=shm" + AT_ONCE);
    }

    private static boolean passes(RecordedEvent event, String name) {
        return event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream().anyMatch(frame -> frame.getMethod().getType().getName().startsWith(name));
    }

    /** A class's initializer is called by native code. */
    private static final class Pinned {
        static {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }

        static void wait20Ms() {
        }
    }

    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        // As the tests are compiled for 17.
        return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    private static void exchange(String options) throws Exception {
        Map<String, String> all = new HashMap<>();
        for (String option : options.split(" ")) {
            all.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
        }
        try (DeviceJob job = DeviceJob.open(2, all)) {
            job.runAll(device -> {
                ExecutorService virtual = virtualThreads();
                List<Future<?>> threads = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    int thread = i;
                    threads.add(virtual.submit(() -> exchange(device, thread)));
                }
                for (Future<?> one : threads) {
                    one.get(25, TimeUnit.SECONDS);
                }
                virtual.shutdown();
                if (options.endsWith(AT_ONCE)) {
                    assertTrue(device.counters().get(Counter.PARKS.key()) > 0, "nobody parked");
                }
            });
        }
    }

    /** With the thread of the same number on the other rank; the odd ones receive first. */
    private static void exchange(Device device, int thread) {
        int other = 1 - device.rank();
        int[] into = new int[1];
        for (int round = 0; round < ROUNDS; round++) {
            int[] body = {thread * ROUNDS + round};
            if (thread % 2 == device.rank()) {
                device.ssend(body, other, thread);
                device.recv(into, other, thread);
            } else {
                device.recv(into, other, thread);
                Request answer = device.isend(body, other, thread);
                answer.waitFor();
            }
            assertEquals(body[0], into[0]);
        }
    }
}
