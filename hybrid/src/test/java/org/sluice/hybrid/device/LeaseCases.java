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
import java.nio.ReadOnlyBufferException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Lease;
import org.sluice.device.Message;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.memory.NeedsUnsafe;

/** Messages that are read where they lie, buffers that are given away, and what may not be done to memory in use. */
interface LeaseCases extends DeviceCases {
    private static byte[] content(Lease lease) {
        byte[] got = new byte[(int) lease.bytes()];
        lease.buffer().get(got);
        return got;
    }

    private static MessageBuffer filled(Device device, long seed, int bytes) {
        MessageBuffer buffer = device.allocate(bytes);
        buffer.byteBuffer().put(pattern(seed, bytes));
        return buffer;
    }

    @Test
    default void aMessageBufferIsReadInPlaceUntilTheLeaseIsClosed() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (MessageBuffer buffer = filled(device, 1, LARGE)) {
                            Request request = device.isend(buffer, 1, 1);
                            device.recv(null, 1, 9);
                            if (readsInPlace()) {
                                assertNull(request.waitFor(30, TimeUnit.MILLISECONDS), "the lease is open");
                                IllegalStateException refused =
                                        assertThrows(IllegalStateException.class, buffer::close);
                                assertTrue(refused.getMessage().contains("request"), refused.getMessage());
                            } else {
                                assertEquals(LARGE, request.waitFor().bytes(), "a lease of a copy keeps no sender");
                            }
                            device.send(null, 1, 9);
                            assertEquals(LARGE, request.waitFor().bytes());
                        }
                    },
                    device -> {
                        Lease lease = device.recvInPlace(0, 1);
                        assertEquals(readsInPlace(), lease.inPlace());
                        SendCases.assertStatus(lease.status(), 0, 1, 0, LARGE);
                        assertArrayEquals(pattern(1, LARGE), content(lease));
                        ByteBuffer native4 = ByteBuffer.wrap(pattern(1, LARGE)).order(java.nio.ByteOrder.nativeOrder());
                        assertEquals(native4.get(5), lease.getByte(5));
                        assertEquals(native4.getShort(6), lease.getShort(6));
                        assertEquals(native4.getChar(6), lease.getChar(6));
                        assertEquals(native4.getInt(8), lease.getInt(8));
                        assertEquals(
                                Float.floatToRawIntBits(native4.getFloat(12)),
                                Float.floatToRawIntBits(lease.getFloat(12)));
                        assertEquals(native4.getLong(16), lease.getLong(16));
                        assertEquals(
                                Double.doubleToRawLongBits(native4.getDouble(16)),
                                Double.doubleToRawLongBits(lease.getDouble(16)));
                        assertEquals(
                                native4.getLong(LARGE - 8),
                                lease.buffer(LARGE - 8, 8).getLong());
                        assertThrows(IndexOutOfBoundsException.class, () -> lease.getLong(LARGE - 7));
                        assertThrows(IndexOutOfBoundsException.class, () -> lease.getShort(LARGE - 1));
                        assertThrows(IndexOutOfBoundsException.class, () -> lease.getByte(-1));
                        assertThrows(
                                ReadOnlyBufferException.class,
                                () -> lease.buffer().put((byte) 1));
                        device.send(null, 0, 9);
                        device.recv(null, 0, 9);
                        lease.close();
                        lease.close();
                        assertThrows(IllegalStateException.class, () -> lease.getByte(0));
                        assertThrows(IllegalStateException.class, lease::buffer);
                        assertEquals(readsInPlace() ? 1 : 0, device.counters().get("in.place"));
                    });
        }
    }

    @Test
    default void whatCannotBeReadInPlaceComesIntoMemoryOfTheDevice() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int size : SIZES) {
                            device.send(pattern(size, size), 1, 1);
                        }
                    },
                    device -> {
                        for (int size : SIZES) {
                            try (Lease lease = device.recvInPlace(ANY_SOURCE, ANY_TAG)) {
                                assertEquals(size <= keepsUpTo(), lease.inPlace());
                                assertEquals(size, lease.bytes());
                                assertArrayEquals(pattern(size, size), content(lease));
                            }
                        }
                    });
        }
    }

    /** More than any channel keeps where they came; closed in another order, by another thread. */
    @Test
    default void manyLeasesAreOpenWhileOtherMessagesComeAndGo() {
        int count = Math.max(60, many(600));
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int i = 0; i < 3 * count; i++) {
                            device.send(pattern(i, i % 300), 1, i % 3 == 0 ? 1 : 2);
                        }
                        device.recv(null, 1, 9);
                        device.send(pattern(7, 100), 1, 3);
                    },
                    device -> {
                        Lease[] open = new Lease[count];
                        byte[] into = new byte[300];
                        for (int i = 0; i < count; i++) {
                            open[i] = device.recvInPlace(0, 1);
                            device.recv(into, 0, 2);
                            device.recv(into, 0, 2);
                        }
                        for (int i = 0; i < count; i++) {
                            assertArrayEquals(pattern(3 * i, 3 * i % 300), content(open[i]), "message " + 3 * i);
                        }
                        Thread other = new Thread(() -> {
                            for (int i = count - 1; i >= 0; i--) {
                                open[i].close();
                            }
                        });
                        other.start();
                        device.send(null, 0, 9);
                        try (Lease last = device.recvInPlace(0, 3)) {
                            assertArrayEquals(pattern(7, 100), content(last));
                        }
                        other.join();
                        assertThrows(IllegalStateException.class, open[0]::buffer);
                    });
        }
    }

    @Test
    default void aGivenBufferIsGoneForTheGiver() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int size : SIZES) {
                            MessageBuffer buffer = filled(device, size, size);
                            Request request = device.give(buffer, 1, 1);
                            assertTrue(buffer.isClosed());
                            assertThrows(IllegalStateException.class, () -> buffer.getByte(0));
                            assertThrows(IllegalStateException.class, () -> device.send(buffer, 1, 1));
                            assertThrows(IllegalStateException.class, () -> device.give(buffer, 1, 1));
                            buffer.close();
                            request.waitFor();
                        }
                        MessageBuffer lent = filled(device, 3, 100);
                        Request request = device.issend(lent, 1, 2);
                        assertThrows(IllegalStateException.class, () -> device.give(lent, 1, 1), "a request uses it");
                        device.send(null, 1, 3);
                        request.waitFor();
                        assertThrows(IndexOutOfBoundsException.class, () -> device.give(lent, 101, 1, 1, 0));
                        assertFalse(lent.isClosed(), "a refused call takes nothing");
                        device.give(lent, 60, 1, 4, 0).waitFor();
                    },
                    device -> {
                        for (int i = 0; i < SIZES.length; i++) {
                            int size = SIZES[i];
                            if (i % 2 == 0) {
                                byte[] into = new byte[size];
                                device.recv(into, 0, 1);
                                assertArrayEquals(pattern(size, size), into);
                            } else {
                                try (Lease lease = device.recvInPlace(0, 1)) {
                                    assertArrayEquals(pattern(size, size), content(lease));
                                }
                            }
                        }
                        device.recv(null, 0, 3);
                        device.recv(new byte[100], 0, 2);
                        assertEquals(60, device.recv(new byte[100], 0, 4).bytes());
                    });
        }
    }

    @Test
    default void memoryOfARequestInFlightCannotBeClosed() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(1)) {
            Device device = job.device(0);
            MessageBuffer buffer = device.allocate(64);
            Request receive = device.irecv(buffer, 0, 1);
            assertThrows(IllegalStateException.class, buffer::close);
            assertTrue(receive.cancel());
            ByteBuffer view = buffer.byteBuffer();
            for (Object part : new Object[] {view, view.slice(8, 8), buffer.bytesView()}) {
                Request partly = device.irecv(part, 0, 1);
                assertThrows(IllegalStateException.class, buffer::close, () -> part + " is a view of it");
                device.send(new byte[3], 0, 1);
                assertEquals(3, partly.waitFor().bytes());
            }
            buffer.close();
            assertTrue(buffer.isClosed());
            assertThrows(IllegalStateException.class, () -> device.irecv(view, 0, 1));
            assertThrows(IllegalStateException.class, () -> device.send(view, 0, 1));
            assertThrows(IllegalStateException.class, () -> device.irecv(buffer, 0, 1));
            assertThrows(IllegalStateException.class, () -> device.send(buffer, 0, 1));
            assertThrows(IllegalStateException.class, () -> buffer.putInt(0, 1));
        }
    }

    @Test
    default void aNewMessageBufferIsZeroAlsoWhereAnotherWas() {
        try (DeviceJob job = open(2)) {
            job.runAll(device -> {
                for (int i = 0; i < 20; i++) {
                    try (MessageBuffer buffer = device.allocate(5000 + i)) {
                        for (int at = 0; at < 5000; at++) {
                            assertEquals(0, buffer.getByte(at));
                        }
                        buffer.byteBuffer().put(pattern(i, 5000 + i));
                    }
                }
                assertThrows(IllegalArgumentException.class, () -> device.allocate(-1));
            });
        }
    }

    @Test
    default void aLeaseThatIsNeverClosedIsClosedWithItsDevice() {
        Lease[] lost = new Lease[1];
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (MessageBuffer buffer = filled(device, 1, LARGE)) {
                            Request request = device.isend(buffer, 1, 1);
                            assertEquals(LARGE, request.waitFor().bytes());
                        }
                    },
                    device -> {
                        lost[0] = device.recvInPlace(0, 1);
                        assertEquals(readsInPlace(), lost[0].inPlace());
                        device.close();
                        assertThrows(IllegalStateException.class, () -> lost[0].getByte(0));
                    });
        }
    }

    /** Neither memory of the device nor memory of the peer is taken for a message any more. */
    @Test
    default void aMessageThatWasTakenBeforeTheCloseIsNotLeasedAfterwards() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        Request copied = device.issend(pattern(1, LARGE), 1, 1);
                        Request inPlace = device.issend(filled(device, 2, LARGE), 1, 2);
                        assertFails(ErrorCode.PEER_CLOSED, copied::waitFor);
                        assertFails(ErrorCode.PEER_CLOSED, inPlace::waitFor);
                    },
                    device -> {
                        Message copied = device.mprobe(0, 1);
                        Message inPlace = device.mprobe(0, 2);
                        device.close();
                        assertFails(ErrorCode.DEVICE_CLOSED, copied::recvInPlace);
                        assertFails(ErrorCode.DEVICE_CLOSED, inPlace::recvInPlace);
                        assertFails(ErrorCode.DEVICE_CLOSED, () -> device.allocate(1));
                    });
        }
    }

    /**
     * A lease of a copy reads memory of its device, which a request holds like any other; one that never ends holds no
     * close up.
     */
    @Test
    default void aLeaseThatIsSentOnStaysOpen() {
        try (DeviceJob job = open(2, "sluice.close.timeout.ms", "300")) {
            job.run(
                    device -> {
                        device.send(pattern(1, LARGE), 1, 1);
                        byte[] back = new byte[LARGE];
                        device.recv(null, 1, 9);
                        device.recv(back, 1, 1);
                        assertArrayEquals(pattern(1, LARGE), back);
                    },
                    device -> {
                        Lease lease = device.recvInPlace(0, 1);
                        assertFalse(lease.inPlace());
                        Request sent = device.issend(lease.buffer(), 0, 1);
                        assertThrows(IllegalStateException.class, lease::close);
                        assertArrayEquals(pattern(1, LARGE), content(lease), "it is open still");
                        device.send(null, 0, 9);
                        sent.waitFor();
                        device.issend(lease.buffer(), 0, 2);
                        assertFails(ErrorCode.TIMEOUT, device::close);
                        assertThrows(IllegalStateException.class, () -> lease.getByte(0));
                    });
        }
    }

    /**
     * The sender has its memory back, or could: accesses by the lease end, and what a view still reads is not given to
     * anybody else.
     */
    @Test
    default void aLeaseOfASendersMemoryEndsWhenItsDeviceFails() {
        try (DeviceJob job = open(2)) {
            Flag freed = job.flag();
            job.run(
                    device -> {
                        Request given = device.give(filled(device, 1, LARGE), 1, 1);
                        if (!readsInPlace()) {
                            given.waitFor();
                            freed.raise();
                            return;
                        }
                        MessageBuffer sent = filled(device, 2, LARGE);
                        Request request = device.isend(sent, 1, 1);
                        assertFails(ErrorCode.PEER_DEAD, given::waitFor);
                        assertFails(ErrorCode.PEER_DEAD, request::waitFor);
                        assertThrows(IllegalStateException.class, sent::close, "the peer's program may still read it");
                        try (MessageBuffer first = filled(device, 3, LARGE);
                                MessageBuffer second = filled(device, 4, LARGE)) {
                            freed.raise();
                            assertFalse(first.isClosed() || second.isClosed());
                        }
                    },
                    device -> {
                        Lease lease = device.recvInPlace(0, 1);
                        ByteBuffer view = lease.buffer();
                        if (!readsInPlace()) {
                            // The message is whole here before its sender hears that it arrived.
                            assertTrue(freed.await(20), job::state);
                            FailedDeviceCases.fail(device);
                            assertArrayEquals(pattern(1, LARGE), content(lease), "its memory is this device's");
                            return;
                        }
                        Lease other = device.recvInPlace(0, 1);
                        FailedDeviceCases.fail(device);
                        assertTrue(freed.await(20), job::state);
                        byte[] seen = new byte[LARGE];
                        view.get(seen);
                        assertArrayEquals(pattern(1, LARGE), seen, "what was given is not used for another buffer");
                        assertThrows(IllegalStateException.class, () -> lease.getLong(0));
                        assertThrows(IllegalStateException.class, lease::buffer);
                        assertThrows(IllegalStateException.class, () -> other.getByte(LARGE - 1));
                        lease.close();
                    });
        }
    }
}
