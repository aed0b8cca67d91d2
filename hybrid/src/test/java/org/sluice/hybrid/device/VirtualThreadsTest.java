package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.counter.Counter;

/** Blocking calls of virtual threads park in Java: far more of them wait at once than there are carriers. */
@Tag("conformance")
final class VirtualThreadsTest {
    private static final int THREADS = 300;
    private static final int ROUNDS = 5;
    private static final String AT_ONCE = " sluice.wait.spin.us=0 sluice.wait.yield.us=0";

    private static void assumeVirtualThreads() {
        assumeTrue(
                Runtime.version().feature() >= 21,
                "virtual threads came with JDK 21, and this is "
                        + Runtime.version().feature());
    }

    /** Who spins long may have its message before it parks; with neither spinning nor yielding whoever waits parks. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sluice.channels=threads",
                "sluice.channels=shm",
                "sluice.channels=threads" + AT_ONCE,
                "sluice.channels=shm" + AT_ONCE,
                "sluice.channels=shm sluice.progress.threads=1" + AT_ONCE
            })
    void hundredsWaitForEachOtherOnAFewCarriers(String options) throws Exception {
        assumeVirtualThreads();
        exchange(options);
    }

    @Test
    void noneHoldsItsCarrierWhileItWaits() throws Exception {
        assumeVirtualThreads();
        try (Pins pins = new Pins()) {
            exchangeAtOnce();
            pins.begin();
            exchangeAtOnce();
            assertEquals(List.of(), pins.end());
        }
    }

    private static void exchangeAtOnce() throws Exception {
        exchange("sluice.channels=threads" + AT_ONCE);
        exchange("sluice.channels=shm" + AT_ONCE);
    }

    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        // As the tests are compiled for 17.
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
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
