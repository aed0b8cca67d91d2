package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
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

    private static final long LONG_WAIT_MS = 3_000;

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

    /** Parks are counted, not processor time: what runs in a guest whose core is taken away seems to run on. */
    @Test
    void whoWaitsForLongerThanItsWindowParksOnceAndStays() {
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", "ib"))) {
            job.run(
                    device -> {
                        device.barrier();
                        device.recv(new byte[1], 1, 1);
                        device.send(new byte[1], 1, 1);
                    },
                    device -> {
                        device.barrier();
                        Request receive = device.irecv(new byte[1], 0, 1);
                        long before = device.counters().get("parks");
                        assertNull(receive.waitFor(LONG_WAIT_MS, TimeUnit.MILLISECONDS));
                        long parks = device.counters().get("parks") - before;
                        assertEquals(1, parks, "parks in " + LONG_WAIT_MS + " ms");
                        device.send(new byte[1], 0, 1);
                        receive.waitFor();
                    });
        }
    }

    @Test
    void oneThatIsToldToParksAtOnce() {
        assertTrue(parks(Map.of("sluice.channels", "ib", "sluice.wait.spin.us", "0", "sluice.wait.yield.us", "0")) > 0);
    }
}
