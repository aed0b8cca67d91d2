package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Request;

/** A rank over SoftRoCE doesn't go to sleep within the time of a slow hop, unless it is told to. */
@Tag("all")
@Tag("verbs")
final class SoftRoceWaitRxeTest {
    /**
     * Less than the window: however late the thread has its core, it finds the time over before it finds the window
     * over.
     */
    private static final long WAIT_MS = 25;

    private static final long LONG_WAIT_MS = 10_000;

    /** How often a rank parks that waits for so long for a message that nobody sends. */
    private static long parks(Map<String, String> options) {
        long[] parks = new long[1];
        try (DeviceJob job = DeviceJob.open(2, options)) {
            job.run(
                    device -> {
                        Request receive = device.irecv(new byte[1], 1, 1);
                        long before = device.counters().get("parks");
                        assertNull(receive.waitFor(WAIT_MS, TimeUnit.MILLISECONDS));
                        parks[0] = device.counters().get("parks") - before;
                        assertTrue(receive.cancel());
                    },
                    device -> {
                        // It sends nothing.
                    });
        }
        return parks[0];
    }

    @Test
    void aRankThatWaitsForLessThanItsWindowNeverParks() {
        for (String eager : new String[] {"send", "write"}) {
            assertEquals(0, parks(Map.of("sluice.channels", "ib", "sluice.ib.eager", eager)), eager);
        }
    }

    /** Of all ranks' threads and those of their devices, by name. */
    private static Map<String, Long> processorMs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<String, Long> used = new TreeMap<>();
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null
                    && (info.getThreadName().startsWith("rank-body")
                            || info.getThreadName().startsWith("sluice-"))) {
                used.merge(
                        info.getThreadName(),
                        Math.max(0, TimeUnit.NANOSECONDS.toMillis(threads.getThreadCpuTime(id))),
                        Long::sum);
            }
        }
        return used;
    }

    /**
     * Only the thread that waits is held to it: what wakes the device's threads meanwhile has nothing to do with the
     * window, and in emulation takes as much.
     */
    @Test
    void theThreadThatWaitsForLongTakesATwentiethOfACoreAtMost() {
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", "ib"))) {
            job.run(
                    device -> {
                        device.barrier();
                        Map<String, Long> before = processorMs();
                        Thread.sleep(LONG_WAIT_MS);
                        Map<String, Long> used = processorMs();
                        before.forEach((name, ms) -> used.merge(name, -ms, Long::sum));
                        System.out.println("SoftRoceWaitRxeTest: waiting " + LONG_WAIT_MS
                                + " ms took, in ms of processor time, " + used);
                        assertTrue(
                                used.get("rank-body") < LONG_WAIT_MS / 20,
                                "waiting " + LONG_WAIT_MS + " ms took, in ms of processor time, " + used);
                        device.send(new byte[1], 1, 1);
                    },
                    device -> {
                        device.barrier();
                        device.recv(new byte[1], 0, 1);
                    });
        }
    }

    @Test
    void oneThatIsToldToParksAtOnce() {
        assertTrue(parks(Map.of("sluice.channels", "ib", "sluice.wait.spin.us", "0", "sluice.wait.yield.us", "0")) > 0);
    }
}
