package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Request;

/** What a wait for many requests costs. */
final class WaitSomeCostTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int REQUESTS = 100_000;
    private static final long MOST_MS = 1000;

    /** A look at each request for each of them is five billion looks. */
    @Test
    void oneThatIsDoneBehindManyThatAreNotIsFoundSoon() {
        try (DeviceJob job = DeviceJob.open(1, Map.of())) {
            Device device = job.device(0);
            Request[] requests = new Request[REQUESTS];
            for (int i = 0; i < REQUESTS; i++) {
                requests[i] = device.irecv(null, 0, i);
            }
            int last = REQUESTS - 1;
            device.send(null, 0, last);
            requests[last].waitFor();
            long before = THREADS.getCurrentThreadCpuTime();
            assertArrayEquals(new int[] {last}, device.waitSome(requests));
            long usedMs = (THREADS.getCurrentThreadCpuTime() - before) / 1_000_000;
            assertTrue(usedMs < MOST_MS, usedMs + " ms of processor time");
        }
    }
}
