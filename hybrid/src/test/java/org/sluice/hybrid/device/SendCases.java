package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.device.Device.WHOLE;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;

/** Sends, receives, and in which order they meet. */
interface SendCases extends DeviceCases {
    @Test
    default void everySizeArrivesAsItWasSentExpectedAndUnexpected() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int size : SIZES) {
                            device.send(pattern(size, size), 1, size);
                            device.barrier();
                            device.send(pattern(size + 1, size), 1, size);
                            device.recv(null, 1, 0);
                        }
                    },
                    device -> {
                        for (int size : SIZES) {
                            byte[] into = new byte[size];
                            Request expected = device.irecv(into, 0, size);
                            device.barrier();
                            Status status = expected.waitFor();
                            assertArrayEquals(pattern(size, size), into);
                            assertStatus(status, 0, size, 0, size);
                            assertStatus(device.recv(into, 0, size), 0, size, 0, size);
                            assertArrayEquals(pattern(size + 1, size), into);
                            device.send(null, 0, 0);
                        }
                    });
        }
    }

    static void assertStatus(Status status, int source, int tag, int contextId, long bytes) {
        assertEquals(source, status.source(), status::toString);
        assertEquals(tag, status.tag(), status::toString);
        assertEquals(contextId, status.contextId(), status::toString);
        assertEquals(bytes, status.bytes(), status::toString);
        assertEquals(ErrorCode.NONE, status.error(), status::toString);
    }

    @Test
    default void aReceiveFillsTheCallersStatus() {
        try (DeviceJob job = open(2)) {
            job.run(device -> device.send(new int[] {1, 2, 3}, 0, WHOLE, 1, Integer.MAX_VALUE, 9), device -> {
                Status mine = new Status();
                assertEquals(-1, mine.source());
                assertSame(mine, device.recv(new int[5], 0, WHOLE, ANY_SOURCE, ANY_TAG, 9, mine));
                assertStatus(mine, 0, Integer.MAX_VALUE, 9, 12);
                assertEquals(3, mine.count());
            });
        }
    }

    @Test
    default void aSendsStatusIsTheSendersOwn() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        assertStatus(device.isend(new byte[10], 1, 4).waitFor(), 0, 4, 0, 10);
                        assertStatus(device.isend(new byte[LARGE], 1, 5).waitFor(), 0, 5, 0, LARGE);
                    },
                    device -> {
                        device.recv(new byte[10], 0, 4);
                        device.recv(new byte[LARGE], 0, 5);
                    });
        }
    }

    @Test
    default void aMessageThatIsTooLongIsCutAndGoneAndTheNextIsFine() {
        for (int size : new int[] {100, LARGE}) {
            try (DeviceJob job = open(2)) {
                job.run(
                        device -> {
                            for (int i = 0; i < 3; i++) {
                                device.send(pattern(i, size), 1, 3);
                            }
                            device.send(pattern(9, 10), 1, 3);
                        },
                        device -> {
                            for (int room : new int[] {size - 1, 1, 0}) {
                                int before = size - 1 == room ? 0 : room == 1 ? 1 : 2;
                                byte[] into = new byte[room];
                                SluiceException cut = assertFails(ErrorCode.TRUNCATED, () -> device.recv(into, 0, 3));
                                assertEquals(0, cut.peer());
                                assertEquals(size, cut.status().bytes());
                                assertEquals(3, cut.status().tag());
                                assertEquals(ErrorCode.TRUNCATED, cut.status().error());
                                assertArrayEquals(java.util.Arrays.copyOf(pattern(before, size), room), into);
                            }
                            byte[] next = new byte[10];
                            assertStatus(device.recv(next, 0, 3), 0, 3, 0, 10);
                            assertArrayEquals(pattern(9, 10), next);
                        });
            }
        }
    }

    @Test
    default void aSynchronousSendCompletesOnlyWhenMatched() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int size : SIZES) {
                            Request request = device.issend(pattern(size, size), 1, size);
                            assertNull(request.waitFor(30, TimeUnit.MILLISECONDS), "nobody has received it");
                            assertFalse(request.isDone());
                            device.send(null, 1, 2_000_000);
                            assertStatus(request.waitFor(), 0, size, 0, size);
                        }
                        device.ssend(new byte[3], 1, 1);
                        device.ssend(new byte[3], 0, 2, 1, 1);
                    },
                    device -> {
                        for (int size : SIZES) {
                            device.recv(null, 0, 2_000_000);
                            byte[] into = new byte[size];
                            device.recv(into, 0, size);
                            assertArrayEquals(pattern(size, size), into);
                        }
                        device.recv(new byte[3], 0, 1);
                        assertEquals(2, device.recv(new byte[3], 0, 1).bytes());
                    });
        }
    }

    @Test
    default void aSynchronousSendMeetsAReceiveThatIsThere() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.barrier();
                        device.ssend(pattern(1, 64), 1, 1);
                    },
                    device -> {
                        byte[] into = new byte[64];
                        Request request = device.irecv(into, ANY_SOURCE, ANY_TAG);
                        device.barrier();
                        assertStatus(request.waitFor(), 0, 1, 0, 64);
                        assertArrayEquals(pattern(1, 64), into);
                    });
        }
    }

    @Test
    default void contextsAreSpacesOfTheirOwn() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.waitAll(
                                device.isend(new byte[] {1}, 0, WHOLE, 1, 7, 5),
                                device.isend(new byte[] {2}, 0, WHOLE, 1, 7, Integer.MAX_VALUE),
                                device.isend(new byte[] {3}, 1, 7));
                    },
                    device -> {
                        byte[] into = new byte[1];
                        device.recv(into, ANY_SOURCE, ANY_TAG);
                        assertEquals(3, into[0]);
                        device.recv(into, 0, WHOLE, ANY_SOURCE, ANY_TAG, Integer.MAX_VALUE, new Status());
                        assertEquals(2, into[0]);
                        assertNull(device.iprobe(ANY_SOURCE, ANY_TAG, 6));
                        device.recv(into, 0, WHOLE, 0, 7, 5, new Status());
                        assertEquals(1, into[0]);
                    });
        }
    }

    @Test
    default void messagesOfOneSenderDoNotOvertakeEachOther() {
        int messages = 600;
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        java.util.Random sizes = new java.util.Random(5);
                        Request[] requests = new Request[messages];
                        for (int i = 0; i < messages; i++) {
                            int[] body = new int[1 + sizes.nextInt(3) * sizes.nextInt(9000)];
                            body[0] = i;
                            requests[i] = i % 7 == 0 ? device.issend(body, 1, i % 3) : device.isend(body, 1, i % 3);
                        }
                        device.waitAll(requests);
                    },
                    device -> {
                        int[] into = new int[18_000];
                        Status status = new Status();
                        int[] last = {-1, -1, -1};
                        for (int i = 0; i < messages / 2; i++) {
                            device.recv(into, ANY_SOURCE, ANY_TAG, status);
                            assertEquals(i, into[0], "wildcards take in the order sent");
                            last[status.tag()] = into[0];
                        }
                        for (int tag = 2; tag >= 0; tag--) {
                            for (int i = 0; i < messages / 6; i++) {
                                device.recv(into, i % 2 == 0 ? 0 : ANY_SOURCE, tag, status);
                                assertTrue(into[0] > last[tag], into[0] + " came after " + last[tag]);
                                last[tag] = into[0];
                            }
                        }
                    });
        }
    }

    @Test
    default void receivesTakeInTheOrderPosted() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.barrier();
                        for (int i = 0; i < 4; i++) {
                            device.send(new int[] {i}, 1, 5);
                        }
                    },
                    device -> {
                        int[][] into = new int[4][1];
                        Request[] requests = {
                            device.irecv(into[0], 0, 5),
                            device.irecv(into[1], ANY_SOURCE, 5),
                            device.irecv(into[2], 0, ANY_TAG),
                            device.irecv(into[3], ANY_SOURCE, ANY_TAG)
                        };
                        device.barrier();
                        device.waitAll(requests);
                        for (int i = 0; i < 4; i++) {
                            assertEquals(i, into[i][0]);
                        }
                    });
        }
    }

    @Test
    default void messagesToOneself() {
        try (DeviceJob job = open(1)) {
            job.run(device -> {
                assertEquals("self", device.channelTo(0));
                for (int size : SIZES) {
                    byte[] into = new byte[size];
                    Request send = device.isend(pattern(size, size), 0, 1);
                    assertStatus(device.recv(into, ANY_SOURCE, ANY_TAG), 0, 1, 0, size);
                    assertArrayEquals(pattern(size, size), into);
                    send.waitFor();
                    byte[] second = new byte[size];
                    Request receive = device.irecv(second, 0, 2);
                    device.ssend(pattern(3, size), 0, 2);
                    receive.waitFor();
                    assertArrayEquals(pattern(3, size), second);
                }
                device.barrier();
            });
        }
    }

    @Test
    default void everyRankTalksToEveryRank() {
        int size = 5;
        try (DeviceJob job = open(size)) {
            job.runAll(device -> {
                Request[] requests = new Request[2 * size];
                byte[][] into = new byte[size][5000];
                for (int peer = 0; peer < size; peer++) {
                    requests[peer] = device.irecv(into[peer], peer, 1);
                    requests[size + peer] = device.isend(pattern(device.rank() * size + peer, 5000), peer, 1);
                }
                device.waitAll(requests);
                for (int peer = 0; peer < size; peer++) {
                    assertArrayEquals(pattern(peer * size + device.rank(), 5000), into[peer]);
                }
            });
        }
    }

    @Test
    default void aBarrierHoldsEverybody() {
        for (int size : new int[] {1, 2, 3, 5}) {
            java.util.concurrent.atomic.AtomicInteger arrived = new java.util.concurrent.atomic.AtomicInteger();
            try (DeviceJob job = open(size)) {
                job.runAll(device -> {
                    for (int round = 1; round <= 50; round++) {
                        arrived.incrementAndGet();
                        device.barrier();
                        assertTrue(arrived.get() >= round * job.here());
                        device.barrier();
                    }
                });
            }
        }
    }

    @Test
    default void aDeviceKnowsItsJob() {
        try (DeviceJob job = open(3)) {
            Device first = job.device(0);
            assertEquals(3, first.peers().size());
            for (int rank = 0; rank < 3; rank++) {
                Device device = job.device(rank);
                assertEquals(rank, device.rank());
                assertEquals(3, device.size());
                assertEquals(first.peers(), device.peers());
                assertEquals(device.id(), device.peers().get(rank));
                assertEquals("self", device.channelTo(rank));
                assertNotEquals("self", device.channelTo((rank + 1) % 3));
            }
        }
    }

    @Test
    default void twoJobsInOneJvmDoNotMix() {
        try (DeviceJob one = open(2);
                DeviceJob other = open(2)) {
            one.device(0).isend(new byte[] {1}, 1, 1);
            other.device(0).isend(new byte[] {2}, 1, 1);
            byte[] into = new byte[1];
            other.device(1).recv(into, ANY_SOURCE, ANY_TAG);
            assertEquals(2, into[0]);
            one.device(1).recv(into, ANY_SOURCE, ANY_TAG);
            assertEquals(1, into[0]);
            assertNull(one.device(1).iprobe(ANY_SOURCE, ANY_TAG));
        }
    }
}
