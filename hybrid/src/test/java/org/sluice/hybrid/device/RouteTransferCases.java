package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.sluice.device.MessageBuffer;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;

/**
 * What a persistent route carries, from its first message to the end of either rank: also where a wire lies between
 * them.
 */
interface RouteTransferCases extends DeviceCases {
    static boolean isWritten(Device device) {
        return device.channelTo(1 - device.rank()).equals("ib");
    }

    static byte[] content(Lease lease) {
        byte[] got = new byte[(int) lease.bytes()];
        lease.buffer().get(got);
        return got;
    }

    static long count(Device device, String counter) {
        return device.counters().get(counter);
    }

    @Test
    default void messagesOfARouteStayInOrderWithAllOthers() {
        int count = many(400);
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.openRoute(1, 1, 5000, 4)) {
                            List<Request> sends = new ArrayList<>();
                            for (int i = 0; i < count; i++) {
                                byte[] message = pattern(i, 1 + i * 97 % 5000);
                                // Of each three, one in the ordinary way; now and then one that goes by rendezvous.
                                sends.add(
                                        i % 50 == 49
                                                ? device.isend(pattern(i, LARGE), 1, 1)
                                                : i % 3 == 2
                                                        ? device.isend(message, 1, 1)
                                                        : i % 2 == 0
                                                                ? route.isend(message)
                                                                : route.isend(ByteBuffer.allocateDirect(message.length)
                                                                        .put(message)
                                                                        .flip()));
                            }
                            device.waitAll(sends.toArray(new Request[0]));
                        }
                    },
                    device -> {
                        byte[] into = new byte[LARGE];
                        for (int i = 0; i < count; i++) {
                            int size = (int) device.recv(into, i % 2 == 0 ? 0 : ANY_SOURCE, 1)
                                    .bytes();
                            assertEquals(i % 50 == 49 ? LARGE : 1 + i * 97 % 5000, size, "message " + i);
                            assertArrayEquals(pattern(i, size), java.util.Arrays.copyOf(into, size), "message " + i);
                        }
                    });
        }
    }

    /** Messages of an envelope that nobody receives yet, more than there are slots, hold up no other. */
    @Test
    default void moreMessagesThanSlotsHoldUpNoOther() {
        int count = 12;
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.openRoute(1, 1, 4000, 2)) {
                            Request[] sends = new Request[count];
                            for (int i = 0; i < count; i++) {
                                sends[i] = route.isend(pattern(i, 4000));
                            }
                            device.send(pattern(99, 8), 1, 2);
                            device.waitAll(sends);
                            if (route.isWritten()) {
                                assertEquals(2, count(device, "sent.by.route"), "as many as there are slots");
                                assertEquals(count - 2, count(device, "route.slots.exceeded"));
                            }
                            // All slots are told to be free again before they could be missed.
                            device.recv(null, 1, 3);
                            route.isend(pattern(5, 4000));
                            device.recv(null, 1, 3);
                            assertEquals(route.isWritten() ? 3 : 0, count(device, "sent.by.route"));
                        }
                    },
                    device -> {
                        device.recv(new byte[8], 0, 2);
                        for (int i = 0; i < count; i++) {
                            byte[] into = new byte[4000];
                            device.recv(into, 0, 1);
                            assertArrayEquals(pattern(i, 4000), into, "message " + i);
                        }
                        device.send(null, 0, 3);
                        device.recv(new byte[4000], 0, 1);
                        device.send(null, 0, 3);
                    });
        }
    }

    /**
     * As above, of messages that go by rendezvous where no slot is free, out of and into what can be written over
     * verbs.
     */
    @Test
    default void moreLongMessagesThanSlotsGoByRendezvous() {
        int count = 6;
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.openRoute(1, 1, LARGE, 2)) {
                            Request[] sends = new Request[count];
                            for (int i = 0; i < count; i++) {
                                MessageBuffer message = device.allocate(LARGE);
                                message.byteBuffer().put(pattern(i, LARGE));
                                sends[i] = route.isend(message);
                            }
                            device.send(null, 1, 2);
                            device.waitAll(sends);
                            assertEquals(route.isWritten() ? count - 2 : 0, count(device, "route.slots.exceeded"));
                        }
                        device.barrier();
                    },
                    device -> {
                        device.recv(null, 0, 2);
                        for (int i = 0; i < count; i++) {
                            MessageBuffer into = device.allocate(LARGE);
                            assertEquals(LARGE, device.recv(into, 0, 1).bytes());
                            byte[] got = new byte[LARGE];
                            into.byteBuffer().get(got);
                            assertArrayEquals(pattern(i, LARGE), got, "message " + i);
                        }
                        device.barrier();
                    });
        }
    }

    @Test
    default void aLeaseKeepsItsSlotUntilItIsClosed() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.openRoute(1, 1, 3000, 2)) {
                            for (int i = 0; i < 6; i++) {
                                route.send(pattern(i, 3000));
                            }
                            device.recv(null, 1, 3);
                            for (int i = 0; i < 20; i++) {
                                route.send(ByteBuffer.allocateDirect(3000)
                                        .put(pattern(i, 3000))
                                        .flip());
                                device.recv(null, 1, 3);
                            }
                            assertEquals(route.isWritten() ? 22 : 0, count(device, "sent.by.route"));
                        }
                    },
                    device -> {
                        List<Lease> leases = new ArrayList<>();
                        for (int i = 0; i < 6; i++) {
                            leases.add(device.recvInPlace(0, 1));
                        }
                        for (int i = 0; i < 6; i++) {
                            assertTrue(leases.get(i).inPlace() || !isWritten(device) || i >= 2, "lease " + i);
                            assertArrayEquals(pattern(i, 3000), content(leases.get(i)), "lease " + i);
                        }
                        // In any order.
                        for (int i = 5; i >= 0; i--) {
                            leases.get(i).close();
                            leases.get(i).close();
                        }
                        assertThrows(
                                IllegalStateException.class, () -> leases.get(0).getByte(0));
                        device.send(null, 0, 3);
                        for (int i = 0; i < 20; i++) {
                            try (Lease lease = device.recvInPlace(ANY_SOURCE, ANY_TAG)) {
                                assertTrue(lease.inPlace() || !isWritten(device));
                                assertArrayEquals(pattern(i, 3000), content(lease));
                            }
                            device.send(null, 0, 3);
                        }
                    });
        }
    }

    /** The routes are left open: close ends them. */
    @Test
    default void aSenderThatClosesHasSentEverything() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        PersistentRoute route = device.openRoute(1, 1, 20_000, 4);
                        Request[] sends = new Request[10];
                        for (int i = 0; i < sends.length; i++) {
                            sends[i] = route.isend(
                                    i % 2 == 0
                                            ? pattern(i, 20_000)
                                            : ByteBuffer.allocateDirect(20_000)
                                                    .put(pattern(i, 20_000))
                                                    .flip());
                        }
                        device.barrier();
                        device.close();
                        for (Request send : sends) {
                            assertEquals(20_000, send.waitFor().bytes());
                        }
                        assertFails(ErrorCode.DEVICE_CLOSED, () -> route.send(new byte[1]));
                        route.close();
                    },
                    device -> {
                        device.barrier();
                        Thread.sleep(100);
                        byte[] into = new byte[20_000];
                        for (int i = 0; i < 10; i++) {
                            device.recv(into, 0, 1);
                            assertArrayEquals(pattern(i, 20_000), into, "message " + i);
                        }
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(into, 0, 1));
                    });
        }
    }

    @Test
    default void aReceiverThatClosesEndsTheRoute() {
        Lease[] open = new Lease[1];
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        PersistentRoute route = device.openRoute(1, 1, 2000, 2);
                        route.send(pattern(1, 2000));
                        device.recv(null, 1, 9);
                        assertFails(ErrorCode.PEER_CLOSED, () -> {
                            while (true) {
                                route.send(pattern(1, 2000));
                            }
                        });
                        assertFails(
                                ErrorCode.PEER_CLOSED,
                                () -> route.isend(pattern(1, 2000)).waitFor());
                        assertFails(
                                ErrorCode.PEER_CLOSED,
                                () -> device.openRoute(1, 2, 100, 1).send(new byte[1]));
                        route.close();
                        assertThrows(IllegalStateException.class, () -> route.send(new byte[1]));
                    },
                    device -> {
                        open[0] = device.recvInPlace(0, 1);
                        device.send(null, 0, 9);
                        device.recv(new byte[2000], 0, 1);
                        device.close();
                        assertThrows(IllegalStateException.class, () -> open[0].getByte(0));
                    });
        }
    }
}
