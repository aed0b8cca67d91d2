package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * A wire between two guests that loses, doubles, delays and reorders what passes: every byte arrives, in order, once. A
 * case whose wire did nothing fails. None reads: SoftRoCE completes a read with bytes missing where packets are lost
 * ({@code raw_link.c}). Where it meets all at once SoftRoCE was seen to hand up a packet twice, or to give up, as it
 * does without Sluice ({@code raw_link.c}, docs/explanation/verbs-failures.md). Where packets are overtaken its
 * receiver once called one of them an invalid request.
 */
@Tag("all")
@Tag("verbs-nodes")
final class LossyWireRxeTest {
    @RegisterExtension
    static final TwoNodes NODES = new TwoNodes();

    private static final int MESSAGES = 60;
    /** With all faults at once the wire is slow. */
    private static final int FEW = 20;

    private static final int MANY = 600;
    private static final int ROUNDS = 5;
    private static final int SEEN_TAG = 12;
    private static final long LIMIT_S = 40L * Integer.getInteger("sluice.test.patience", 1);
    private static final long LONG_LIMIT_S = 150L * Integer.getInteger("sluice.test.patience", 1);
    private static final long SEED = 20_251;
    /** What is lost is sent again after 67 ms, not after 268. */
    private static final String ACK_TIMEOUT = "14";
    /** With any other number SoftRoCE gave up once where one in a hundred packets was lost. */
    private static final String RETRY_COUNT = "7";
    /** What netem counts itself; everything else is a counter of the device. */
    private static final String LOST = "lost";

    @AfterEach
    void mend() throws Exception {
        Wire.mend();
    }

    @ParameterizedTest
    @CsvSource({"loss 1%, auto, lost", "loss 1%, stream, lost", "duplicate 5%, auto, duplicate_request"})
    void everyByteArrivesInOrderOnce(String fault, String rendezvous, String proof) throws Exception {
        exchange(fault, rendezvous, proof, MESSAGES, LIMIT_S);
    }

    /** All arrives, or the connection ends for a fault of SoftRoCE; what is handed up until then is right. */
    @ParameterizedTest
    @ValueSource(strings = {"loss 1% duplicate 2% delay 1ms reorder 2%", "delay 1ms reorder 2%"})
    void whatArrivesOverTheWorstOfWiresIsRight(String fault) throws Exception {
        Wire.spoil(fault);
        long lost = Wire.lost();
        long doubled = Wire.counter("duplicate_request");
        long overtaken = Wire.counter("out_of_seq_request");
        try (DeviceJob job = DeviceJob.open(2, options("auto"), NODES)) {
            AtomicReference<SluiceException> end = new AtomicReference<>();
            job.run(LIMIT_S, device -> bothWaysUntil(device, end), device -> bothWaysUntil(device, end));
            lost = Wire.lost() - lost;
            doubled = Wire.counter("duplicate_request") - doubled;
            overtaken = Wire.counter("out_of_seq_request") - overtaken;
            System.out.println("node " + NODES.node() + ": " + lost + " lost, " + doubled + " doubled, " + overtaken
                    + " overtaken, "
                    + (end.get() == null ? "all arrived" : end.get().getMessage()));
            // So few messages may meet none of one kind.
            assertTrue(end.get() != null || lost + doubled + overtaken > 0, "nothing happened to the packets");
        }
    }

    private static void bothWaysUntil(Device device, AtomicReference<SluiceException> end) throws Exception {
        int other = 1 - device.rank();
        ProbeCases.threads(2, thread -> {
            try {
                oneWay(device, other, thread, FEW);
            } catch (SluiceException e) {
                assertTrue(e.code() == ErrorCode.PEER_DEAD || e.code() == ErrorCode.PEER_CORRUPT, e.toString());
                end.compareAndSet(null, e);
            }
        });
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({
        "loss 1%, auto, lost",
        "loss 1%, stream, lost",
        "loss 5%, auto, lost",
        "duplicate 10%, auto, duplicate_request"
    })
    void everyByteOfALongExchangeArrivesInOrderOnce(String fault, String rendezvous, String proof) throws Exception {
        exchange(fault, rendezvous, proof, MANY, LONG_LIMIT_S);
    }

    private static Map<String, String> options(String rendezvous) {
        return Map.of(
                "sluice.channels",
                "ib",
                "sluice.ib.ack.timeout",
                ACK_TIMEOUT,
                "sluice.ib.retry.count",
                RETRY_COUNT,
                "sluice.ib.rendezvous",
                rendezvous);
    }

    private void exchange(String fault, String rendezvous, String proof, int messages, long limitSeconds)
            throws Exception {
        Wire.spoil(fault);
        long before = happened(proof);
        AtomicBoolean proven = new AtomicBoolean();
        try (DeviceJob job = DeviceJob.open(2, options(rendezvous), NODES)) {
            // Packets may all be lucky: then once more, at both ends.
            for (int round = 0; round < ROUNDS && !proven.get(); round++) {
                Wire.spoil(fault);
                long start = System.nanoTime();
                RankBody body = device -> {
                    bothWays(device, messages);
                    long seen = happened(proof) - before;
                    long[] others = new long[1];
                    int other = 1 - device.rank();
                    device.send(new long[] {seen}, other, SEEN_TAG);
                    device.recv(others, other, SEEN_TAG);
                    proven.set(seen > 0 && others[0] > 0);
                };
                job.run(limitSeconds, body, body);
                System.out.println("node " + NODES.node() + ", " + fault + ", " + rendezvous + ": " + 2 * messages
                        + " messages in " + (System.nanoTime() - start) / 1_000_000 + " ms, " + proof + " "
                        + (happened(proof) - before));
            }
            assertTrue(proven.get(), "nothing happened to the packets of one end: " + proof + " is 0\n" + Wire.state());
        }
    }

    private static long happened(String proof) throws Exception {
        return proof.equals(LOST) ? Wire.lost() : Wire.counter(proof);
    }

    private static void bothWays(Device device, int messages) throws Exception {
        int other = 1 - device.rank();
        ProbeCases.threads(2, thread -> oneWay(device, other, thread, messages));
    }

    private static void oneWay(Device device, int other, int thread, int messages) {
        if (thread == 0) {
            new CheckedTraffic(SEED + device.rank(), messages).send(device, other);
        } else {
            new CheckedTraffic(SEED + other, messages).receive(device, other);
        }
    }
}
