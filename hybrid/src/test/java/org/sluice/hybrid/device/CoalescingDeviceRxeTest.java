package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** Messages that find the send window used up leave together, and nobody sees that but who counts work requests. */
@Tag("all")
@Tag("verbs")
final class CoalescingDeviceRxeTest {
    private static final int WINDOW = 64;

    private static DeviceJob job(int ranks, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(
                Map.of("sluice.channels", "ib", "sluice.ib.window", "8", "sluice.peer.check.ms", "60000"));
        options.putAll(more);
        return DeviceJob.open(ranks, options);
    }

    /** Work requests of the sender for each of its messages of 8 bytes, in windows that the receiver answers. */
    private static double requestsOfAMessage(String coalesce) {
        int windows = 10;
        try (DeviceJob job = job(2, Map.of("sluice.ib.coalesce", coalesce))) {
            long[] counted = new long[2];
            for (int i = 0; i < 2; i++) {
                // The first time connects, and borrows credit.
                job.run(
                        device -> {
                            Request[] sends = new Request[WINDOW];
                            byte[] answer = new byte[1];
                            for (int window = 0; window < windows; window++) {
                                for (int message = 0; message < WINDOW; message++) {
                                    sends[message] = device.isend(new long[] {message}, 1, 3);
                                }
                                device.waitAll(sends);
                                device.recv(answer, 1, 4);
                            }
                        },
                        device -> {
                            Request[] receives = new Request[WINDOW];
                            long[][] into = new long[WINDOW][1];
                            for (int window = 0; window < windows; window++) {
                                for (int message = 0; message < WINDOW; message++) {
                                    receives[message] = device.irecv(into[message], 0, 3);
                                }
                                device.waitAll(receives);
                                for (int message = 0; message < WINDOW; message++) {
                                    assertEquals(message, into[message][0]);
                                }
                                device.send(new byte[1], 0, 4);
                            }
                        });
                counted[i] = job.device(0).counters().get("work.requests");
            }
            return (double) (counted[1] - counted[0]) / (windows * WINDOW);
        }
    }

    @Test
    void aMessageOfALargeWindowCostsAQuarterOfAWorkRequestAtMost() {
        double on = requestsOfAMessage("on");
        double whole = requestsOfAMessage("whole");
        double off = requestsOfAMessage("off");
        System.out.println("CoalescingDeviceRxeTest: " + on + " work requests for a message, with whole envelopes "
                + whole + ", without coalescing " + off);
        assertTrue(on <= 0.25, on + " work requests for each message");
        // Whole envelopes of 13 bytes instead of one: fewer fit into a packet, but a window still does.
        assertTrue(whole <= 0.25, whole + " with whole envelopes");
        assertTrue(off >= 1, off + " without coalescing");
    }

    private static byte[] content(int source, int number, int bytes) {
        byte[] content = new byte[bytes];
        new Random(source * 1000L + number).nextBytes(content);
        return content;
    }

    /** Most are small; some are as long as a packet, some longer. */
    private static int length(int number) {
        return number % 17 == 16
                ? 20_000
                : number % 13 == 12 ? 8 << 10 : number % 5 == 4 ? number * 7 % 3000 : number % 3;
    }

    @Test
    void messagesOfMixedTagsAndLengthsMeetWildcardReceivesInOrder() {
        int count = 150;
        try (DeviceJob job = job(3, Map.of())) {
            job.runAll(device -> {
                int self = device.rank();
                if (self > 0) {
                    Request[] sends = new Request[count];
                    for (int i = 0; i < count; i++) {
                        sends[i] = device.isend(content(self, i, length(i)), 0, i % 4);
                    }
                    device.waitAll(sends);
                    return;
                }
                int[][] next = {{}, {0, 1, 2, 3}, {0, 1, 2, 3}};
                for (int i = 0; i < 2 * count; i++) {
                    Status status = new Status();
                    byte[] into = new byte[20_000];
                    device.recv(into, Device.ANY_SOURCE, Device.ANY_TAG, status);
                    int from = status.source();
                    int number = next[from][status.tag()];
                    next[from][status.tag()] += 4;
                    assertEquals(length(number), status.count(), "message " + number + " of rank " + from);
                    assertArrayEquals(
                            content(from, number, length(number)), java.util.Arrays.copyOf(into, (int) status.count()));
                }
            });
        }
    }

    @Test
    void aTagThatIsReceivedLastIsOvertaken() {
        int count = 100;
        try (DeviceJob job = job(2, Map.of())) {
            job.run(
                    device -> {
                        Request[] sends = new Request[count];
                        for (int i = 0; i < count; i++) {
                            sends[i] = device.isend(new int[] {i}, 1, i % 2);
                        }
                        device.waitAll(sends);
                    },
                    device -> {
                        int[] into = new int[1];
                        for (int tag = 1; tag >= 0; tag--) {
                            for (int i = tag; i < count; i += 2) {
                                device.recv(into, 0, tag);
                                assertEquals(i, into[0]);
                            }
                        }
                    });
        }
    }

    @Test
    void manyThreadsOfOneRank() {
        int count = 60;
        int threads = 3;
        try (DeviceJob job = job(2, Map.of())) {
            job.run(
                    device -> {
                        Thread[] senders = new Thread[threads];
                        for (int t = 0; t < threads; t++) {
                            int tag = t;
                            senders[t] = new Thread(() -> {
                                Request[] sends = new Request[count];
                                for (int i = 0; i < count; i++) {
                                    sends[i] = device.isend(new int[] {i}, 1, tag);
                                }
                                device.waitAll(sends);
                            });
                            senders[t].start();
                        }
                        for (Thread sender : senders) {
                            sender.join();
                        }
                    },
                    device -> {
                        int[] next = new int[threads];
                        int[] into = new int[1];
                        Status status = new Status();
                        for (int i = 0; i < threads * count; i++) {
                            device.recv(into, 0, Device.ANY_TAG, status);
                            assertEquals(next[status.tag()]++, into[0], "tag " + status.tag());
                        }
                    });
        }
    }

    @Test
    void whatWaitsWhenADeviceClosesStillArrives() {
        int count = 200;
        try (DeviceJob job = job(2, Map.of())) {
            job.run(
                    device -> {
                        for (int i = 0; i < count; i++) {
                            device.isend(new int[] {i}, 1, 3);
                        }
                        device.close();
                    },
                    device -> {
                        int[] into = new int[1];
                        for (int i = 0; i < count; i++) {
                            device.recv(into, 0, 3);
                            assertEquals(i, into[0]);
                        }
                    });
        }
    }
}
