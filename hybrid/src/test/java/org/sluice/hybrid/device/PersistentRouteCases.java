package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Lease;
import org.sluice.device.Message;
import org.sluice.device.MessageBuffer;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/**
 * Persistent routes: over verbs their messages are written into slots, elsewhere they go as all others, and nobody but
 * counters sees it.
 */
interface PersistentRouteCases extends RouteTransferCases {
    @Test
    default void everySizeAndEveryKindOfBufferArrivesOnARoute() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.openRoute(1, 7, 3, 1 << 20, 3);
                                MessageBuffer owned = device.allocate(1 << 20)) {
                            assertEquals(RouteTransferCases.isWritten(device), route.isWritten());
                            assertEquals(
                                    "1 7 3 1048576 3",
                                    route.dest() + " " + route.tag() + " " + route.contextId() + " " + route.maxBytes()
                                            + " " + route.slots());
                            for (int size : SIZES) {
                                route.send(pattern(size, size));
                                route.send(ByteBuffer.allocateDirect(size)
                                        .put(pattern(size + 1, size))
                                        .flip());
                                owned.byteBuffer().put(pattern(size + 2, size));
                                route.isend(owned, 0, size).waitFor();
                                long[] longs = {5, size, 7};
                                route.send(longs, 1, 1);
                                device.recv(null, 1, 9);
                            }
                        }
                    },
                    device -> {
                        for (int size : SIZES) {
                            for (int kind = 0; kind < 3; kind++) {
                                Object into = kind == 1 ? ByteBuffer.allocateDirect(size) : new byte[size];
                                SendCases.assertStatus(
                                        device.irecv(into, 0, size, 0, 7, 3).waitFor(), 0, 7, 3, size);
                                byte[] got = kind == 1 ? new byte[size] : (byte[]) into;
                                if (kind == 1) {
                                    ((ByteBuffer) into).get(0, got);
                                }
                                assertArrayEquals(pattern(size + kind, size), got, size + " bytes, kind " + kind);
                            }
                            long[] one = new long[1];
                            device.irecv(one, 0, 1, 0, 7, 3).waitFor();
                            assertEquals(size, one[0]);
                            device.send(null, 0, 9);
                        }
                    });
        }
    }

    @Test
    default void probedTruncatedAndCancelledAsAnyOther() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.openRoute(1, 1, 3000, 2)) {
                            device.recv(null, 1, 3);
                            for (int i = 0; i < 4; i++) {
                                route.send(pattern(i, 3000 - i));
                                device.recv(null, 1, 3);
                            }
                        }
                    },
                    device -> {
                        Request cancelled = device.irecv(new byte[10], 0, 1);
                        assertTrue(cancelled.cancel());
                        device.send(null, 0, 3);
                        byte[] into = new byte[3000];
                        java.util.Arrays.fill(into, (byte) 77);
                        assertEquals(
                                3000,
                                assertFails(ErrorCode.TRUNCATED, () -> device.recv(into, 0, 1000, 0, 1))
                                        .status()
                                        .bytes());
                        for (int i = 0; i < 3000; i++) {
                            assertEquals(i < 1000 ? pattern(0, 3000)[i] : 77, into[i], "byte " + i);
                        }
                        device.send(null, 0, 3);
                        assertEquals(2999, device.probe(0, 1).bytes());
                        assertFails(ErrorCode.ELEMENT_MISMATCH, () -> device.recv(new long[500], 0, 1));
                        device.send(null, 0, 3);
                        Message message = device.mprobe(0, 1);
                        assertNull(device.iprobe(0, 1));
                        assertEquals(2998, message.recv(into).bytes());
                        device.send(null, 0, 3);
                        byte[] heap = new byte[2997];
                        device.irecv(heap, 0, 1).waitFor();
                        assertArrayEquals(pattern(3, 2997), heap);
                        device.send(null, 0, 3);
                    });
        }
    }

    @Test
    default void whatCannotBeIsRefusedAtOnce() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (long[] wrong :
                                new long[][] {{0, 4}, {-1, 4}, {100, 0}, {100, 65}, {100, -1}, {Long.MAX_VALUE / 8, 64}
                                }) {
                            assertThrows(
                                    IllegalArgumentException.class,
                                    () -> device.openRoute(1, 1, wrong[0], (int) wrong[1]));
                        }
                        assertThrows(IllegalArgumentException.class, () -> device.openRoute(2, 1, 100, 4));
                        assertThrows(IllegalArgumentException.class, () -> device.openRoute(1, ANY_TAG, 100, 4));
                        assertThrows(IllegalArgumentException.class, () -> device.openRoute(1, 1, -1, 100, 4));
                        PersistentRoute route = device.openRoute(1, 1, 100, 4);
                        String refused = assertThrows(IllegalArgumentException.class, () -> route.send(new byte[101]))
                                .getMessage();
                        assertTrue(refused.contains("101") && refused.contains("100"), refused);
                        assertThrows(IllegalArgumentException.class, () -> route.isend(new long[13]));
                        assertThrows(IllegalArgumentException.class, () -> route.send("text"));
                        assertThrows(IndexOutOfBoundsException.class, () -> route.send(new byte[10], 5, 6));
                        Request sent = route.isend(new byte[100]);
                        route.close();
                        route.close();
                        assertThrows(IllegalStateException.class, () -> route.send(new byte[1]));
                        assertThrows(IllegalStateException.class, () -> route.isend(new byte[1]));
                        device.send(null, 1, 2);
                        assertEquals(100, sent.waitFor().bytes());
                    },
                    device -> {
                        device.recv(null, 0, 2);
                        assertEquals(100, device.recv(new byte[100], 0, 1).bytes(), "what was sent before the close");
                    });
        }
    }

    /** Each takes more than half of what there may be, so each has to be given back before the next. */
    @Test
    default void aClosedRouteGivesItsMemoryBack() {
        int bytes = 100_000;
        try (DeviceJob job = open(2, "sluice.routes.bytes", "300000")) {
            job.run(
                    device -> {
                        for (int i = 0; i < 10; i++) {
                            PersistentRoute route = device.openRoute(1, i, bytes, 2);
                            assertEquals(RouteTransferCases.isWritten(device), route.isWritten());
                            if (route.isWritten()) {
                                SluiceException refused =
                                        assertFails(ErrorCode.NO_MEMORY, () -> device.openRoute(1, 100, bytes, 2));
                                assertTrue(
                                        refused.getMessage().contains("sluice.routes.bytes")
                                                && refused.getMessage().contains("300000"),
                                        refused.getMessage());
                            }
                            route.send(pattern(i, bytes));
                            route.isend(pattern(i + 1, bytes));
                            route.close();
                            device.recv(null, 1, 99);
                        }
                    },
                    device -> {
                        byte[] into = new byte[bytes];
                        for (int i = 0; i < 10; i++) {
                            device.recv(into, 0, i);
                            assertArrayEquals(pattern(i, bytes), into);
                            device.recv(into, 0, i);
                            assertArrayEquals(pattern(i + 1, bytes), into);
                            device.send(null, 0, 99);
                        }
                    });
        }
    }

    /** Matched, probed and taken while it may still be written, in order with short ones of its envelope. */
    @Test
    default void longMessagesOfARouteAreReadInTheirSlotsAndStayInOrder() {
        int rounds = many(12);
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.openRoute(1, 1, LARGE, 2);
                                MessageBuffer buffer = device.allocate(LARGE)) {
                            for (int i = 0; i < rounds; i++) {
                                buffer.byteBuffer().put(pattern(i, LARGE));
                                Request own = route.isend(buffer);
                                Request array = route.isend(pattern(i + 1, LARGE));
                                Request behind = device.isend(pattern(i, 8), 1, 1);
                                device.send(pattern(i, 9), 1, 2);
                                own.waitFor();
                                array.waitFor();
                                behind.waitFor();
                                device.recv(null, 1, 3);
                            }
                        }
                    },
                    device -> {
                        byte[] small = new byte[9];
                        for (int i = 0; i < rounds; i++) {
                            Message first = device.mprobe(i % 2 == 0 ? 0 : ANY_SOURCE, 1, 0);
                            device.recv(small, 0, 2);
                            assertArrayEquals(pattern(i, 9), small);
                            byte[] into = new byte[LARGE];
                            Request second = device.irecv(into, 0, i % 3 == 0 ? ANY_TAG : 1);
                            assertEquals(8, device.recv(small, 0, ANY_TAG).bytes());
                            try (Lease lease = first.recvInPlace()) {
                                assertTrue(lease.inPlace() || !RouteTransferCases.isWritten(device));
                                assertArrayEquals(pattern(i, LARGE), RouteTransferCases.content(lease));
                            }
                            second.waitFor();
                            assertArrayEquals(pattern(i + 1, LARGE), into);
                            device.send(null, 0, 3);
                        }
                    });
        }
    }

    @Test
    default void longMessagesOfARouteCallHandlersInOrder() {
        int rounds = many(12);
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.handlers().openRoute(1, 5, LARGE, 2)) {
                            Request[] sends = new Request[rounds];
                            for (int i = 0; i < rounds; i++) {
                                sends[i] = route.isend(pattern(i, LARGE));
                                device.handlers().syncSend(1, 5, pattern(i, 8));
                            }
                            device.waitAll(sends);
                            device.handlers().syncSend(1, 6, null);
                        }
                    },
                    device -> {
                        List<byte[]> seen = new ArrayList<>();
                        device.handlers()
                                .register(5, (source, message) -> seen.add(RouteTransferCases.content(message)));
                        device.handlers()
                                .register(
                                        6,
                                        (source, message) -> device.handlers().stop());
                        device.handlers().serve();
                        assertEquals(2 * rounds, seen.size());
                        for (int i = 0; i < rounds; i++) {
                            assertArrayEquals(pattern(i, LARGE), seen.get(2 * i));
                            assertArrayEquals(pattern(i, 8), seen.get(2 * i + 1));
                        }
                    });
        }
    }

    @Test
    default void withoutMemoryForRoutesTheirMessagesGoAsAnyOther() {
        try (DeviceJob job = open(2, "sluice.routes.bytes", "0")) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.openRoute(1, 1, 50_000, 2)) {
                            assertFalse(route.isWritten());
                            route.send(pattern(1, 50_000));
                            route.isend(pattern(2, 50)).waitFor();
                            assertThrows(IllegalArgumentException.class, () -> route.send(new byte[50_001]));
                        }
                    },
                    device -> {
                        byte[] into = new byte[50_000];
                        device.recv(into, 0, 1);
                        assertArrayEquals(pattern(1, 50_000), into);
                        assertEquals(50, device.recv(into, 0, 1).bytes());
                    });
        }
    }

    @Test
    default void noneOpensToARankThatHasClosed() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(null, 1, 1));
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.openRoute(1, 3, 100, 4));
                    },
                    Device::close);
        }
    }

    @Test
    default void everyPairAtOnceAndOneToOneself() {
        int rounds = many(200);
        try (DeviceJob job = open(3)) {
            job.runAll(device -> {
                PersistentRoute[] routes = new PersistentRoute[3];
                for (int dest = 0; dest < 3; dest++) {
                    routes[dest] = device.openRoute(dest, device.rank(), 2000, 3);
                }
                for (int round = 0; round < rounds; round++) {
                    Request[] sends = new Request[3];
                    byte[][] into = new byte[3][2000];
                    Request[] receives = new Request[3];
                    for (int each = 0; each < 3; each++) {
                        receives[each] = device.irecv(into[each], round % 2 == 0 ? each : ANY_SOURCE, each);
                        sends[each] = routes[each].isend(pattern(round * 3 + device.rank(), 2000));
                    }
                    device.waitAll(receives);
                    device.waitAll(sends);
                    for (int each = 0; each < 3; each++) {
                        assertArrayEquals(
                                pattern(round * 3 + each, 2000), into[each], "round " + round + " from " + each);
                    }
                }
            });
        }
    }
}
