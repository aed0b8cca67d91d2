package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/** A wire between two guests that is cut for good. */
@Tag("all")
@Tag("verbs-nodes")
final class BadWireRxeTest {
    @RegisterExtension
    static final TwoNodes NODES = new TwoNodes();

    private static final int TAG = 4;
    /** The adapter gives up after 5 times 67 ms. */
    private static final int ACK_TIMEOUT = 14;

    private static final int RETRY_COUNT = 4;
    private static final long GIVEN_UP_MS = (RETRY_COUNT + 1L) * (4096L << ACK_TIMEOUT) / 1_000_000;
    /**
     * InfiniBand lets an adapter wait four times as long; the rest is for JVMs that have just begun, in guests that
     * have half a core each.
     */
    private static final long FOUND_WITHIN_MS = 4 * GIVEN_UP_MS + 6000;
    /** Long enough that both ends find out, whoever is slower: the guest whose wire is cut can't be told. */
    private static final long CUT_MS = 8000;

    @AfterEach
    void mend() throws Exception {
        Wire.mend();
    }

    /** Ranks 0 and 1 live in one guest, rank 2 in the other, whose wire is cut. */
    @Test
    void aWireThatIsCutEndsWhatGoesOverItAndNothingElse() throws Exception {
        Map<String, String> options = Map.of(
                "sluice.channels",
                "ib",
                "sluice.ib.ack.timeout",
                Integer.toString(ACK_TIMEOUT),
                "sluice.ib.retry.count",
                Integer.toString(RETRY_COUNT));
        try (DeviceJob job = DeviceJob.open(3, options, NODES)) {
            Flag cut = job.flag();
            job.run(
                    60,
                    device -> survive(device, cut, () -> sendForEver(device, 2)),
                    device -> survive(device, cut, () -> device.recv(new byte[8], 2, TAG)),
                    device -> beCutOff(device, cut));
        }
    }

    private static void sendForEver(Device device, int to) {
        while (true) {
            Request[] sends = new Request[32];
            for (int i = 0; i < sends.length; i++) {
                sends[i] = device.isend(new byte[i % 4 == 0 ? 20_000 : 100], to, TAG);
            }
            device.waitAll(sends);
        }
    }

    private static void survive(Device device, Flag cut, Runnable call) throws Exception {
        device.barrier();
        Request pending = device.irecv(new byte[8], 2, TAG + 1);
        assertTrue(cut.await(20));
        long start = System.nanoTime();
        int other = 1 - device.rank();
        AtomicInteger rounds = new AtomicInteger();
        AtomicBoolean found = new AtomicBoolean();
        ProbeCases.threads(2, thread -> {
            if (thread == 0) {
                SluiceException failure = assertFails(ErrorCode.PEER_DEAD, call::run);
                assertEquals(2, failure.peer());
                assertFails(ErrorCode.PEER_DEAD, pending::waitFor);
                check(failure.getMessage(), start);
                System.out.println("rank " + device.rank() + ": " + failure.getMessage() + ", after "
                        + (System.nanoTime() - start) / 1_000_000 + " ms and " + rounds.get() + " rounds with rank "
                        + other);
                assertTrue(rounds.get() > 0, "the others did not go on");
                found.set(true);
            } else {
                goOn(device, other, found, rounds);
            }
        });
        device.acknowledge(2);
        long closing = System.nanoTime();
        device.close();
        check("close", closing);
    }

    /** Exchanges messages until rank 0 has found out. */
    private static void goOn(Device device, int other, AtomicBoolean found, AtomicInteger rounds) {
        int[] more = {1};
        while (more[0] == 1) {
            if (device.rank() == 0) {
                more[0] = found.get() ? 0 : 1;
                device.send(more, other, TAG + 2);
                device.recv(new int[1], other, TAG + 2);
            } else {
                device.recv(more, other, TAG + 2);
                device.send(more, other, TAG + 2);
            }
            rounds.incrementAndGet();
        }
    }

    private static void check(String what, long start) {
        long took = (System.nanoTime() - start) / 1_000_000;
        assertTrue(
                took < FOUND_WITHIN_MS,
                what + " took " + took + " ms of " + FOUND_WITHIN_MS + ", where the adapter gives up after "
                        + GIVEN_UP_MS);
    }

    private static void beCutOff(Device device, Flag cut) throws Exception {
        device.barrier();
        Request pending = device.irecv(new byte[8], 1, TAG);
        cut.raise();
        // The word of it travels on the same wire.
        Thread.sleep(300);
        Wire.cut();
        long start = System.nanoTime();
        try {
            SluiceException failure = assertFails(ErrorCode.PEER_DEAD, () -> sendForEver(device, 0));
            assertEquals(0, failure.peer());
            assertFails(ErrorCode.PEER_DEAD, pending::waitFor);
            check(failure.getMessage(), start);
            System.out.println(
                    "rank 2: " + failure.getMessage() + ", after " + (System.nanoTime() - start) / 1_000_000 + " ms");
            device.close();
            check("all, with the close,", start);
        } finally {
            Thread.sleep(Math.max(0, CUT_MS - (System.nanoTime() - start) / 1_000_000));
            Wire.mend();
        }
    }
}
