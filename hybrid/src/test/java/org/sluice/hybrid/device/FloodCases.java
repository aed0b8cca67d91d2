package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** Legal programs that ask much of a device: all of them get through, and memory stays bounded. */
interface FloodCases extends DeviceCases {
    @Test
    default void manyMessagesOfOneTagThenOneOfAnotherReceivedFirst() {
        flood(many(100_000));
    }

    @Test
    @Tag("long")
    default void aMillionMessagesOfOneTagThenOneOfAnotherReceivedFirst() {
        flood(many(1_000_000));
    }

    private void flood(int messages) {
        try (DeviceJob job = open(2, "sluice.close.timeout.ms", "20000")) {
            job.run(
                    60,
                    device -> {
                        Request[] requests = new Request[messages];
                        for (int i = 0; i < messages; i++) {
                            requests[i] = device.isend(new int[] {i}, 1, 1);
                        }
                        device.isend(new int[] {-7}, 1, 2).waitFor();
                        device.waitAll(requests);
                    },
                    device -> {
                        int[] into = new int[1];
                        device.recv(into, 0, 2);
                        assertEquals(-7, into[0]);
                        Status status = new Status();
                        for (int i = 0; i < messages; i++) {
                            device.recv(into, 0, 1, status);
                            assertEquals(i, into[0]);
                        }
                    });
        }
    }

    /** The barrier's own messages meet peers whose share for eager messages is used up, on both sides. */
    @Test
    default void aBarrierAfterAFloodThatNobodyReceivedYet() {
        try (DeviceJob job = open(2)) {
            job.runAll(device -> {
                int other = 1 - device.rank();
                Request[] requests = new Request[600];
                byte[] body = new byte[10_000];
                for (int i = 0; i < requests.length; i++) {
                    requests[i] = device.isend(body, other, i);
                }
                device.barrier();
                for (int i = 0; i < requests.length; i++) {
                    assertEquals(body.length, device.recv(body, other, i).bytes());
                }
                device.waitAll(requests);
                device.barrier();
            });
        }
    }

    @Test
    default void twoRanksFloodEachOtherBeforeEitherReceives() {
        for (int[] shape : new int[][] {{many(20_000), 8}, {2000, 3000}, {40, LARGE}}) {
            try (DeviceJob job = open(2)) {
                job.runAll(device -> {
                    int other = 1 - device.rank();
                    Request[] requests = new Request[shape[0]];
                    byte[] body = new byte[shape[1]];
                    for (int i = 0; i < requests.length; i++) {
                        requests[i] = device.isend(body, other, i);
                    }
                    byte[] into = new byte[shape[1]];
                    Status status = new Status();
                    for (int i = 0; i < requests.length; i++) {
                        device.recv(into, other, ANY_TAG, status);
                        assertEquals(i, status.tag());
                    }
                    device.waitAll(requests);
                });
            }
        }
    }

    @Test
    default void unexpectedPayloadStaysBounded() {
        int messages = many(20_000);
        int bytes = 4000;
        long share = 1 << 20;
        try (DeviceJob job = open(2, "sluice.eager.share.bytes", Long.toString(share))) {
            job.run(
                    device -> {
                        Request[] requests = new Request[messages];
                        byte[] body = new byte[bytes];
                        for (int i = 0; i < messages; i++) {
                            requests[i] = device.isend(body, 1, 1);
                        }
                        device.isend(null, 1, 2);
                        device.waitAll(requests);
                        if (!options().containsKey("sluice.eager.limit.bytes")) {
                            assertTrue(device.counters().get("eager.share.exceeded") > 0, "eager becomes rendezvous");
                        }
                    },
                    device -> {
                        device.recv(null, 0, 2);
                        long stored = device.counters().get("copied.bytes");
                        assertTrue(stored <= share, stored + " bytes are stored; the share is " + share);
                        for (int i = 0; i < messages; i++) {
                            device.recv(new byte[bytes], ANY_SOURCE, 1);
                        }
                    });
        }
    }

    /**
     * Eager messages are taken back into account when they are received: a long stream of them never turns to
     * rendezvous.
     */
    @Test
    default void aStreamThatIsReceivedKeepsItsShare() {
        assumeTrue(hasRoomForEager(), "this suite gives eager messages no room on purpose");
        int messages = many(20_000);
        // A fifth of what is sent, and more than is under way.
        try (DeviceJob job = open(2, "sluice.eager.share.bytes", Integer.toString(messages * 200))) {
            job.run(
                    device -> {
                        for (int i = 0; i < messages; i++) {
                            device.send(new byte[1000], 1, 1);
                            if (i % 100 == 0) {
                                device.recv(null, 1, 2);
                            }
                        }
                        assertEquals(0, device.counters().get("eager.share.exceeded"));
                    },
                    device -> {
                        for (int i = 0; i < messages; i++) {
                            device.recv(new byte[1000], 0, 1);
                            if (i % 100 == 0) {
                                device.send(null, 0, 2);
                            }
                        }
                    });
        }
    }

    /** Whoever always finds its message there never waits, but others wait for it. */
    @Test
    default void aReceiverThatNeverWaitsMakesProgressForOthers() {
        for (boolean blocking : new boolean[] {true, false}) {
            try (DeviceJob job = open(2)) {
                job.run(
                        device -> {
                            Request other = device.issend(new byte[1], 1, 1);
                            // Few enough that no account of what was received makes a round. isDone would make one
                            // itself.
                            for (int i = 0; i < 4000 && other.toString().contains("in flight"); i++) {
                                exchangeWithMyself(device, blocking);
                                if (i % 50 == 0) {
                                    Thread.sleep(20);
                                }
                            }
                            assertFalse(
                                    other.toString().contains("in flight"),
                                    "no round in 4000 receives, blocking: " + blocking);
                        },
                        device -> device.recv(new byte[1], 0, 1));
            }
        }
    }

    private static void exchangeWithMyself(Device device, boolean blocking) {
        byte[] into = new byte[1];
        Request send = device.isend(new byte[1], 0, 2);
        if (blocking) {
            device.recv(into, 0, 2);
        } else {
            device.irecv(into, 0, 2).waitFor();
        }
        send.waitFor();
    }

    @Test
    default void manyThreadsUseOneDeviceAtOnce() {
        int threads = 8;
        int rounds = many(300);
        try (DeviceJob job = open(2)) {
            job.runAll(device -> ProbeCases.threads(threads, thread -> {
                for (int i = 0; i < rounds; i++) {
                    exchange(device, thread, i);
                }
            }));
        }
    }

    /** One exchange with the thread of the same number on the other rank, each in its own way. */
    private static void exchange(Device device, int thread, int round) throws Exception {
        int other = 1 - device.rank();
        int[] body = new int[round % 10 == 0 ? 30_000 : 1 + round % 50];
        java.util.Arrays.fill(body, thread * 1000 + round);
        int[] into = new int[body.length];
        Request send = thread % 3 == 0 ? device.issend(body, other, thread) : device.isend(body, other, thread);
        switch (thread % 4) {
            case 0:
                device.recv(into, other, thread);
                break;
            case 1:
                device.mprobe(ANY_SOURCE, thread).recv(into);
                break;
            case 2:
                device.probe(other, thread);
                device.irecv(into, other, thread).waitFor();
                break;
            default:
                device.irecv(into, ANY_SOURCE, thread).toFuture().get();
        }
        send.waitFor();
        assertEquals(thread * 1000 + round, into[0]);
        assertEquals(thread * 1000 + round, into[into.length - 1]);
    }
}
