package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Request;

/** Blocking calls of virtual threads park in Java: far more of them wait at once than there are carriers. */
final class VirtualThreadsTest implements DeviceCases {
    private static final int THREADS = 300;
    private static final int ROUNDS = 5;

    @Override
    public Map<String, String> options() {
        return Map.of();
    }

    @Test
    void hundredsWaitForEachOtherOnAFewCarriers() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads came with JDK 21, and this is " + Runtime.version().feature());
        try (DeviceJob job = open(2)) {
            job.runAll(device -> {
                // By reflection, as the tests are compiled for 17.
                ExecutorService virtual = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    int thread = i;
                    all.add(virtual.submit(() -> exchange(device, thread)));
                }
                for (Future<?> one : all) {
                    one.get(25, TimeUnit.SECONDS);
                }
                virtual.shutdown();
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
