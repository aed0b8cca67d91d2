package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Request;

/**
 * What a window of long messages is answered with takes fewer work requests than there are messages, read or written.
 */
@Tag("all")
@Tag("verbs")
final class AnsweredTogetherRxeTest {
    private static final int WINDOW = 64;
    private static final int WINDOWS = 2;
    private static final int BYTES = 16 << 10;

    /** Work requests of both ranks for each message. */
    private static double requestsOfAMessage(String rendezvous, String coalesce) {
        try (DeviceJob job = DeviceJob.open(
                2,
                Map.of(
                        "sluice.channels",
                        "ib",
                        "sluice.ib.rendezvous",
                        rendezvous,
                        "sluice.ib.coalesce",
                        coalesce,
                        "sluice.peer.check.ms",
                        "60000"))) {
            long[] counted = new long[2];
            for (int i = 0; i < 2; i++) {
                // The first time connects, registers, and borrows credit.
                job.run(
                        device -> {
                            ByteBuffer from = ByteBuffer.allocateDirect(BYTES * WINDOW);
                            Request[] sends = new Request[WINDOW];
                            for (int window = 0; window < WINDOWS; window++) {
                                for (int message = 0; message < WINDOW; message++) {
                                    from.putInt(message * BYTES + BYTES - 4, window * WINDOW + message);
                                    sends[message] = device.isend(from, (long) message * BYTES, BYTES, 1, 3);
                                }
                                device.waitAll(sends);
                                device.recv(new byte[1], 1, 4);
                            }
                        },
                        device -> {
                            ByteBuffer into = ByteBuffer.allocateDirect(BYTES * WINDOW);
                            Request[] receives = new Request[WINDOW];
                            for (int window = 0; window < WINDOWS; window++) {
                                for (int message = 0; message < WINDOW; message++) {
                                    receives[message] = device.irecv(into, (long) message * BYTES, BYTES, 0, 3);
                                }
                                device.waitAll(receives);
                                for (int message = 0; message < WINDOW; message++) {
                                    assertEquals(window * WINDOW + message, into.getInt(message * BYTES + BYTES - 4));
                                }
                                device.send(new byte[1], 0, 4);
                            }
                        });
                for (int rank = 0; rank < 2; rank++) {
                    Map<String, Long> counters = job.device(rank).counters();
                    assertEquals(0, counters.getOrDefault("streamed.chunks", 0L));
                    counted[i] += counters.get("work.requests");
                }
            }
            return (double) (counted[1] - counted[0]) / (WINDOWS * WINDOW);
        }
    }

    private static void assertFewer(String rendezvous) {
        double on = requestsOfAMessage(rendezvous, "on");
        double off = requestsOfAMessage(rendezvous, "off");
        System.out.println("AnsweredTogetherRxeTest: " + rendezvous + ": " + on
                + " work requests for a message, without coalescing " + off);
        assertTrue(on < off - 1, on + " work requests for each message, without coalescing " + off);
    }

    /** START, read, END. */
    @Test
    void messagesThatAreRead() {
        assertFewer("read");
    }

    /** START, REPLY, write, END. */
    @Test
    void messagesThatAreWritten() {
        assertFewer("write");
    }
}
