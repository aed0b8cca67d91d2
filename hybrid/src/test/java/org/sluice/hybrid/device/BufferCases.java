package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.memory.NeedsUnsafe;

/** Everything that can be sent from and received into. */
interface BufferCases extends DeviceCases {
    int[] COUNTS = {1, 100, 100_000};

    @Test
    default void arraysOfEveryPrimitiveTypeWithOffsetAndCount() {
        Class<?>[] types = {
            byte.class, boolean.class, short.class, char.class, int.class, long.class, float.class, double.class
        };
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (Class<?> type : types) {
                            for (int count : COUNTS) {
                                device.send(filled(type, count + 7), 3, count, 1, 1);
                            }
                        }
                    },
                    device -> {
                        for (Class<?> type : types) {
                            for (int count : COUNTS) {
                                Object into = Array.newInstance(type, count + 9);
                                Status status = device.recv(into, 5, count, 0, 1);
                                assertEquals(count, status.count(), type::getName);
                                Object expected = Array.newInstance(type, count + 9);
                                System.arraycopy(filled(type, count + 7), 3, expected, 5, count);
                                assertSameArray(expected, into);
                            }
                        }
                    });
        }
    }

    private static Object filled(Class<?> type, int length) {
        Object array = Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            if (type == boolean.class) {
                Array.setBoolean(array, i, i % 3 == 0);
            } else if (type == char.class) {
                Array.setChar(array, i, (char) (i * 31));
            } else if (type == byte.class) {
                Array.setByte(array, i, (byte) (i * 31));
            } else if (type == short.class) {
                Array.setShort(array, i, (short) (i * 31));
            } else {
                Array.setInt(array, i, 0);
                if (type == int.class) {
                    Array.setInt(array, i, i * 31);
                } else if (type == long.class) {
                    Array.setLong(array, i, i * 0x123456789L);
                } else if (type == float.class) {
                    Array.setFloat(array, i, i * 0.5f);
                } else {
                    Array.setDouble(array, i, i * 0.25);
                }
            }
        }
        return array;
    }

    private static void assertSameArray(Object expected, Object actual) {
        assertEquals(Array.getLength(expected), Array.getLength(actual));
        assertTrue(
                java.util.Objects.deepEquals(expected, actual),
                () -> expected.getClass().getTypeName());
    }

    @Test
    default void byteBuffersHeapDirectReadOnlySlicedAndWithAPosition() {
        for (int size : COUNTS) {
            try (DeviceJob job = open(2)) {
                job.run(
                        device -> {
                            ByteBuffer heap = ByteBuffer.wrap(pattern(1, size + 20));
                            ByteBuffer direct =
                                    ByteBuffer.allocateDirect(size + 20).put(pattern(1, size + 20));
                            for (ByteBuffer buffer :
                                    new ByteBuffer[] {heap, direct, heap.asReadOnlyBuffer(), direct.asReadOnlyBuffer()
                                    }) {
                                buffer.limit(size + 15).position(4);
                                device.send(buffer, 1, 1);
                                assertEquals(4, buffer.position(), "never moved");
                                assertEquals(size + 15, buffer.limit());
                                device.send(buffer.slice(), 2, size, 1, 2);
                            }
                        },
                        device -> {
                            ByteBuffer heap = ByteBuffer.allocate(size + 30);
                            ByteBuffer direct = ByteBuffer.allocateDirect(size + 30);
                            for (ByteBuffer buffer : new ByteBuffer[] {heap, direct, heap, direct}) {
                                buffer.clear().position(3);
                                assertEquals(
                                        size + 11, device.recv(buffer, 0, 1).bytes());
                                assertEquals(3, buffer.position(), "never moved");
                                assertContent(buffer, 3, 4, size + 11, size);
                                ByteBuffer slice = buffer.slice();
                                assertEquals(
                                        size, device.recv(slice, 1, size, 0, 2).bytes());
                                assertContent(slice, 1, 6, size, size);
                            }
                        });
            }
        }
    }

    @Test
    default void buffersOfDoublesInTheHeapOutsideAndOverMessageBuffers() {
        try (DeviceJob job = open(2)) {
            for (int size : COUNTS) {
                job.run(
                        device -> {
                            for (DoubleBuffer buffer : doubles(device, size + 7)) {
                                for (int i = 0; i < size + 7; i++) {
                                    buffer.put(i, i + 0.5);
                                }
                                buffer.limit(size + 5).position(2);
                                device.send(buffer, 1, size, 1, 1);
                                device.isend(buffer, 1, size, 1, 1).waitFor();
                                assertEquals(2, buffer.position(), "never moved");
                            }
                        },
                        device -> {
                            for (DoubleBuffer buffer : doubles(device, size + 9)) {
                                double[] array = new double[size];
                                assertEquals(size, device.recv(array, 0, 1).count());
                                buffer.position(3);
                                assertEquals(
                                        size,
                                        device.recv(buffer, 2, size, 0, 1, 0, new Status())
                                                .count());
                                assertEquals(3, buffer.position(), "never moved");
                                for (int i = 0; i < size; i++) {
                                    assertEquals(i + 3.5, array[i]);
                                    assertEquals(i + 3.5, buffer.get(i + 5));
                                }
                            }
                        });
            }
        }
    }

    private static DoubleBuffer[] doubles(Device device, int count) {
        ByteOrder order = ByteOrder.nativeOrder();
        return new DoubleBuffer[] {
            DoubleBuffer.allocate(count),
            ByteBuffer.allocate(8 * count).order(order).asDoubleBuffer(),
            ByteBuffer.allocateDirect(8 * count).order(order).asDoubleBuffer(),
            device.allocate(8L * count).byteBuffer().asDoubleBuffer()
        };
    }

    private static void assertContent(ByteBuffer buffer, int from, int patternFrom, int length, int size) {
        byte[] got = new byte[length];
        ByteBuffer view = buffer.duplicate();
        view.clear().position(from);
        view.get(got);
        assertArrayEquals(java.util.Arrays.copyOfRange(pattern(1, size + 20), patternFrom, patternFrom + length), got);
    }

    @Test
    default void messageBuffersBothWays() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int size : SIZES) {
                            try (MessageBuffer buffer = device.allocate(size + 16)) {
                                buffer.byteBuffer(8, size).put(pattern(size, size));
                                device.send(buffer, 8, size, 1, 1);
                                device.send(buffer, 8, size, 1, 2);
                            }
                        }
                    },
                    device -> {
                        for (int size : SIZES) {
                            try (MessageBuffer buffer = device.allocate(size + 16)) {
                                assertEquals(
                                        size, device.recv(buffer, 8, size, 0, 1).bytes());
                                byte[] got = new byte[size];
                                buffer.byteBuffer(8, size).get(got);
                                assertArrayEquals(pattern(size, size), got);
                                byte[] array = new byte[size];
                                device.recv(array, 0, 2);
                                assertArrayEquals(pattern(size, size), array);
                            }
                        }
                    });
        }
    }

    @Test
    default void chronicleBytesDirectElasticAndOnHeap() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int size : COUNTS) {
                            for (int kind = 0; kind < 4; kind++) {
                                Bytes<?> bytes = chronicle(kind, size + 8);
                                bytes.write(pattern(kind, size + 4));
                                bytes.readSkip(4);
                                device.send(bytes, 1, kind);
                                assertEquals(size, bytes.readRemaining(), "never moved");
                                bytes.releaseLast();
                            }
                        }
                    },
                    device -> {
                        for (int size : COUNTS) {
                            for (int kind = 0; kind < 4; kind++) {
                                Bytes<?> bytes = chronicle(kind, size + 8);
                                bytes.writeByte((byte) 77);
                                assertEquals(size, device.recv(bytes, 0, kind).bytes());
                                assertEquals(
                                        size + 1,
                                        bytes.readRemaining(),
                                        "the write position stands behind the message");
                                assertEquals(77, bytes.readByte());
                                byte[] got = new byte[size];
                                bytes.read(got);
                                assertArrayEquals(
                                        java.util.Arrays.copyOfRange(pattern(kind, size + 4), 4, size + 4), got);
                                bytes.releaseLast();
                            }
                        }
                    });
        }
    }

    private static Bytes<?> chronicle(int kind, int bytes) {
        switch (kind) {
            case 0:
                return Bytes.allocateDirect(bytes);
            case 1:
                return Bytes.allocateElasticDirect(bytes);
            case 2:
                return Bytes.allocateElasticOnHeap(bytes);
            default:
                return Bytes.wrapForWrite(new byte[bytes]);
        }
    }

    /** The request is completed by whoever makes progress, which need not be the thread that owns the Bytes. */
    @Test
    default void chronicleBytesAreReceivedIntoByAnotherThread() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.recv(null, 1, 9);
                        Thread.sleep(50);
                        device.send(pattern(1, 100), 1, 1);
                        device.send(pattern(2, LARGE), 1, 2);
                    },
                    device -> {
                        Bytes<?> small = Bytes.allocateElasticDirect(100);
                        Bytes<?> large = Bytes.allocateElasticDirect(LARGE);
                        small.writePosition(0);
                        large.writePosition(0);
                        Request first = device.irecv(small, 0, 1);
                        Request second = device.irecv(large, 0, 2);
                        device.send(null, 0, 9);
                        first.toFuture().get(20, java.util.concurrent.TimeUnit.SECONDS);
                        second.toFuture().get(20, java.util.concurrent.TimeUnit.SECONDS);
                        byte[] got = new byte[LARGE];
                        assertEquals(LARGE, large.read(got));
                        assertArrayEquals(pattern(2, LARGE), got);
                        assertEquals(100, small.readRemaining());
                        small.releaseLast();
                        large.releaseLast();
                    });
        }
    }

    /** Both begin where the Bytes stands when they are posted; the second message finds less room than was promised. */
    @Test
    default void twoReceivesAtOnceIntoOneBytesFailAloneWhereItRefuses() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.recv(new byte[1], 1, 2);
                        device.send(pattern(1, 60), 1, 1);
                        device.send(pattern(2, 60), 1, 1);
                        device.send(pattern(3, 60), 1, 3);
                    },
                    device -> {
                        Bytes<?> bytes = Bytes.wrapForWrite(new byte[100]);
                        Request first = device.irecv(bytes, 0, 60, 0, 1);
                        Request second = device.irecv(bytes, 0, 60, 0, 1);
                        device.send(new byte[1], 0, 2);
                        assertEquals(60, first.waitFor().bytes());
                        SluiceException refused = assertThrows(SluiceException.class, second::waitFor);
                        assertEquals(ErrorCode.TRUNCATED, refused.code());
                        assertTrue(refused.getMessage().contains("wait for one before the next"), refused.getMessage());
                        byte[] third = new byte[60];
                        device.recv(third, 0, 3);
                        assertArrayEquals(pattern(3, 60), third);
                    });
        }
    }

    /** The store that a request uses is reserved: its memory outlives a Bytes that grows meanwhile. */
    @Test
    default void anElasticBytesMayGrowWhileItIsSent() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        Bytes<?> bytes = Bytes.allocateElasticDirect(LARGE);
                        bytes.write(pattern(4, LARGE));
                        Request request = device.issend(bytes, 1, 1);
                        bytes.write(new byte[4 * LARGE]);
                        device.send(null, 1, 2);
                        request.waitFor();
                        bytes.releaseLast();
                    },
                    device -> {
                        device.recv(null, 0, 2);
                        byte[] into = new byte[LARGE];
                        device.recv(into, 0, 1);
                        assertArrayEquals(pattern(4, LARGE), into);
                    });
        }
    }

    /**
     * Of a Bytes that its program lets go of, the store is still the request's; and there is no position left to move.
     */
    @Test
    default void aBytesMayBeReleasedInFlight() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int kind = 0; kind < 4; kind++) {
                            Bytes<?> bytes = chronicle(kind, LARGE);
                            bytes.write(pattern(kind, LARGE));
                            Request request = device.issend(bytes, 1, kind);
                            bytes.releaseLast();
                            device.send(null, 1, 9);
                            assertEquals(LARGE, request.waitFor().bytes());
                            device.recv(null, 1, 9);
                            device.send(pattern(kind, 100), 1, kind);
                            device.send(pattern(kind, LARGE), 1, kind);
                        }
                    },
                    device -> {
                        for (int kind = 0; kind < 4; kind++) {
                            device.recv(null, 0, 9);
                            byte[] into = new byte[LARGE];
                            device.recv(into, 0, kind);
                            assertArrayEquals(pattern(kind, LARGE), into);
                            for (int size : new int[] {100, LARGE}) {
                                Bytes<?> bytes = chronicle(kind, size);
                                Request request = device.irecv(bytes, 0, kind);
                                bytes.releaseLast();
                                if (size == 100) {
                                    device.send(null, 0, 9);
                                }
                                assertEquals(size, request.waitFor().bytes());
                            }
                        }
                    });
        }
    }

    @Test
    default void emptyMessagesOfEveryKind() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(2)) {
            Object[] empty = {
                null,
                new byte[0],
                new double[0],
                ByteBuffer.allocate(0),
                ByteBuffer.allocateDirect(0),
                Bytes.elasticByteBuffer()
            };
            job.run(
                    device -> {
                        for (Object buffer : empty) {
                            device.send(buffer, 1, 1);
                            device.ssend(buffer, 1, 1);
                            device.send(new int[5], 5, 0, 1, 1);
                        }
                    },
                    device -> {
                        for (Object buffer : empty) {
                            assertEquals(
                                    0,
                                    device.recv(buffer instanceof Bytes ? null : buffer, 0, 1)
                                            .bytes());
                            assertEquals(0, device.recv(new long[3], 0, 1).count());
                            assertEquals(0, device.recv(null, 0, 1).bytes());
                        }
                    });
        }
    }

    @Test
    default void otherTypesMayReceiveIfTheElementsComeOutEven() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int count : new int[] {10, 100_000}) {
                            device.send(new int[count], 1, 1);
                            device.send(new byte[8 * count + 3], 1, 2);
                            device.send(new byte[8], 1, 3);
                        }
                    },
                    device -> {
                        for (int count : new int[] {10, 100_000}) {
                            assertEquals(
                                    count / 2,
                                    device.recv(new double[count], 0, 1).count());
                            long[] into = new long[count + 1];
                            SluiceException failure =
                                    assertFails(ErrorCode.ELEMENT_MISMATCH, () -> device.recv(into, 0, 2));
                            assertEquals(0, failure.peer());
                            assertEquals(8L * count + 3, failure.status().bytes());
                            assertEquals(count, failure.status().count(), "whole elements");
                            assertEquals(1, device.recv(new long[1], 0, 3).count(), "the next is fine");
                        }
                    });
        }
    }

    @Test
    default void whatIsNoBufferIsRefused() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(1)) {
            Device device = job.device(0);
            for (Object wrong : new Object[] {
                "text",
                new Integer[1],
                new int[1][1],
                new Object(),
                java.nio.IntBuffer.allocate(1).asReadOnlyBuffer()
            }) {
                assertThrows(IllegalArgumentException.class, () -> device.send(wrong, 0, 1));
                assertThrows(IllegalArgumentException.class, () -> device.isend(wrong, 0, 1));
                assertThrows(IllegalArgumentException.class, () -> device.recv(wrong, 0, 1));
                assertThrows(IllegalArgumentException.class, () -> device.irecv(wrong, 0, 1));
            }
            assertThrows(
                    IllegalArgumentException.class,
                    () -> device.irecv(ByteBuffer.allocate(1).asReadOnlyBuffer(), 0, 1));
            Bytes<?> fields = BytesOfFields.make();
            int holders = fields.bytesStore().refCount();
            assertThrows(IllegalArgumentException.class, () -> device.ssend(fields, 0, 1));
            assertThrows(IllegalArgumentException.class, () -> device.issend(fields, 0, 1));
            assertThrows(IllegalArgumentException.class, () -> device.recv(fields, 0, 1));
            assertThrows(IllegalArgumentException.class, () -> device.irecv(fields, 0, 1));
            assertEquals(holders, fields.bytesStore().refCount(), "who refuses it holds it no longer");
            assertEquals(null, device.iprobe(0, 1), "nothing was sent");
        }
    }

    @Test
    default void whatIsOutsideTheBufferIsRefused() {
        try (DeviceJob job = open(1)) {
            Device device = job.device(0);
            long[][] wrong = {{-1, 1}, {0, 11}, {11, 0}, {5, 6}, {0, -2}, {Long.MAX_VALUE, 1}, {1, Long.MAX_VALUE}};
            try (MessageBuffer message = device.allocate(10)) {
                for (Object buffer : new Object[] {new byte[10], new long[10], ByteBuffer.allocate(10), message}) {
                    for (long[] range : wrong) {
                        assertThrows(
                                IndexOutOfBoundsException.class, () -> device.send(buffer, range[0], range[1], 0, 1));
                        assertThrows(
                                IndexOutOfBoundsException.class, () -> device.irecv(buffer, range[0], range[1], 0, 1));
                    }
                }
            }
            assertThrows(IndexOutOfBoundsException.class, () -> device.send(null, 0, 1, 0, 1));
        }
    }
}
