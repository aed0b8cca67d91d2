package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;

/** Who is connected although no message goes: signs of life are only sent over connections that stand. */
@Tag("all")
@Tag("verbs")
final class ConnectAllRxeTest {
    private static final int RANKS = 3;
    private static final long PATIENCE_NANOS =
            TimeUnit.SECONDS.toNanos(20L * Integer.getInteger("sluice.test.patience", 1));
    /** Many times as long as until each peer is looked at. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

    private static DeviceJob open(String connect) {
        return DeviceJob.open(
                RANKS, Map.of("sluice.channels", "ib", "sluice.ib.connect", connect, "sluice.peer.check.ms", "50"));
    }

    private static long workRequests(Device device) {
        return device.counters().get("work.requests");
    }

    /** More than one at a look can only be to more than one peer. */
    @Test
    void whereAllAreToBeConnectedFromTheStartTheyAre() {
        try (DeviceJob job = open("all")) {
            job.runAll(device -> {
                long deadline = System.nanoTime() + PATIENCE_NANOS;
                for (long before = workRequests(device), now = before;
                        now - before < RANKS - 1;
                        now = workRequests(device)) {
                    before = now;
                    device.progress();
                    assertTrue(System.nanoTime() < deadline, "rank " + device.rank() + " has posted " + now);
                }
                device.barrier();
            });
        }
    }

    @Test
    void onDemandNobodyConnectsWhereNobodySends() {
        try (DeviceJob job = open("demand")) {
            job.runAll(device -> {
                long end = System.nanoTime() + QUIET_NANOS;
                while (System.nanoTime() < end) {
                    device.progress();
                }
                assertEquals(0, workRequests(device));
            });
        }
    }
}
