package org.sluice.device.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluice.device.Device;

final class TypedBuffersTest {
    private static final int BYTES = 96;
    private static final ByteOrder OTHER =
            ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;

    private static Stream<Function<ByteBuffer, Buffer>> views() {
        return Stream.of(
                ByteBuffer::asDoubleBuffer,
                ByteBuffer::asLongBuffer,
                ByteBuffer::asIntBuffer,
                ByteBuffer::asFloatBuffer,
                ByteBuffer::asShortBuffer,
                ByteBuffer::asCharBuffer);
    }

    private static ByteBuffer numbered(ByteBuffer bytes) {
        return bytes.put(UserBufferTest.numbered(1, BYTES)).flip().order(ByteOrder.nativeOrder());
    }

    /** From the position to the limit, as of a ByteBuffer; offset and count in elements. */
    private static void assertIsRead(Buffer buffer, int size, int firstByte) {
        assertEquals(size, UserBuffer.elementSize(buffer));
        buffer.position(1).limit(buffer.limit() - 1);
        int elements = buffer.remaining();
        assertArrayEquals(
                UserBufferTest.numbered(firstByte + size, elements * size),
                UserBufferTest.read(buffer, 0, Device.WHOLE));
        assertArrayEquals(UserBufferTest.numbered(firstByte + 3 * size, size), UserBufferTest.read(buffer, 2, 1));
        assertEquals(1, buffer.position());
        assertThrows(IndexOutOfBoundsException.class, () -> UserBuffer.bytesToSend(buffer, 1, elements));
        assertThrows(
                IndexOutOfBoundsException.class, () -> UserBuffer.bytesToReceive(buffer, elements + 1, Device.WHOLE));
        byte[] message = UserBufferTest.numbered(100, size);
        UserBufferTest.write(buffer, 1, Device.WHOLE, message);
        assertArrayEquals(message, UserBufferTest.read(buffer, 1, 1));
    }

    @ParameterizedTest
    @MethodSource("views")
    void viewsOfBytesInTheHeapAndOutside(Function<ByteBuffer, Buffer> view) {
        for (ByteBuffer bytes : new ByteBuffer[] {ByteBuffer.allocate(BYTES), ByteBuffer.allocateDirect(BYTES)}) {
            int size = BYTES / view.apply(numbered(bytes)).capacity();
            assertIsRead(view.apply(numbered(bytes)), size, 1);
            bytes.clear();
            ByteBuffer part = numbered(bytes)
                    .position(8)
                    .slice()
                    .order(ByteOrder.nativeOrder())
                    .position(8);
            assertIsRead(view.apply(part), size, 17);
        }
    }

    @Test
    void buffersOverArraysOfTheirOwn() {
        Buffer[] buffers = {
            DoubleBuffer.allocate(9),
            LongBuffer.wrap(new long[9]),
            IntBuffer.wrap(new int[9], 2, 5),
            FloatBuffer.allocate(9),
            ShortBuffer.allocate(9).position(2).slice(),
            CharBuffer.wrap(new char[9])
        };
        for (Buffer buffer : buffers) {
            int size = UserBuffer.elementSize(buffer);
            byte[] message = UserBufferTest.numbered(3, 3 * size);
            UserBufferTest.write(buffer, 1, 3, message);
            assertArrayEquals(message, UserBufferTest.read(buffer, 1, 3));
            assertSame(buffer.array(), UserBuffer.base(buffer));
        }
        DoubleBuffer numbers = DoubleBuffer.wrap(new double[] {1, 1.5, 2}, 1, 2).slice();
        double[] into = new double[2];
        UserBufferTest.write(into, 0, Device.WHOLE, UserBufferTest.read(numbers, 0, Device.WHOLE));
        assertArrayEquals(new double[] {1.5, 2}, into);
    }

    /** 1.5 in big-endian would be 3.1E-319 in an array. */
    @ParameterizedTest
    @MethodSource("views")
    void theOtherByteOrderIsRefusedWithWhatToWrite(Function<ByteBuffer, Buffer> view) {
        for (ByteBuffer bytes : new ByteBuffer[] {ByteBuffer.allocate(BYTES), ByteBuffer.allocateDirect(BYTES)}) {
            Buffer buffer = view.apply(bytes.order(OTHER));
            for (int way = 0; way < 2; way++) {
                boolean sends = way == 0;
                String message = assertThrows(IllegalArgumentException.class, () -> {
                            if (sends) {
                                UserBuffer.bytesToSend(buffer, 0, 1);
                            } else {
                                UserBuffer.bytesToReceive(buffer, 0, 1);
                            }
                        })
                        .getMessage();
                assertTrue(
                        message.contains(OTHER.toString())
                                && message.contains("bytes.order(ByteOrder.nativeOrder()).as"),
                        message);
            }
        }
    }

    @Test
    void readOnlyOnesAreSentIfTheirMemoryIsToBeHad() {
        DoubleBuffer direct =
                numbered(ByteBuffer.allocateDirect(BYTES)).asDoubleBuffer().asReadOnlyBuffer();
        assertArrayEquals(UserBufferTest.numbered(1, BYTES), UserBufferTest.read(direct, 0, Device.WHOLE));
        assertEquals(
                "a read-only DoubleBuffer can't be received into",
                assertThrows(IllegalArgumentException.class, () -> UserBuffer.bytesToReceive(direct, 0, 1))
                        .getMessage());
        LongBuffer heap = LongBuffer.allocate(3).asReadOnlyBuffer();
        String message = assertThrows(IllegalArgumentException.class, () -> UserBuffer.bytesToSend(heap, 0, 1))
                .getMessage();
        assertTrue(message.contains("LongBuffer is read-only") && message.contains("pass the array"), message);
    }

    @Test
    void aViewOfAMessageBufferIsHeld() {
        MessageMemory memory = new MessageMemory(new CountingAllocator(), BYTES);
        DoubleBuffer view = memory.byteBuffer().asDoubleBuffer();
        assertSame(memory, MemoryOwner.of(view, null));
        Object held = UserBuffer.hold(view);
        assertSame(memory, held);
        assertThrows(IllegalStateException.class, memory::close);
        UserBuffer.release(held);
        memory.close();
        assertThrows(IllegalStateException.class, () -> UserBuffer.bytesToSend(view, 0, 1));
    }

    @Test
    void aViewOfAFileIsMapped(@TempDir Path folder) throws IOException {
        try (FileChannel file = FileChannel.open(
                folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer bytes =
                    file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES).order(ByteOrder.nativeOrder());
            assertTrue(UserBuffer.isMapped(bytes.asIntBuffer()));
            assertFalse(UserBuffer.isMapped(ByteBuffer.allocateDirect(BYTES).asIntBuffer()));
            assertFalse(UserBuffer.isMapped(IntBuffer.allocate(3)));
        }
    }

    @Test
    void theOwnerOfAViewIsThatOfItsBytes() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
        Object owner = MemoryOwner.of(bytes.position(16).asLongBuffer(), null);
        assertEquals(BYTES, MemoryOwner.bytes(owner));
        assertEquals(MemoryOwner.address(bytes), MemoryOwner.address(owner));
    }

    @Test
    void rowsOfRowsAreRefusedWithWhatToWrite() {
        String message = assertThrows(
                        IllegalArgumentException.class, () -> UserBuffer.bytesToSend(new double[3][3], 0, Device.WHOLE))
                .getMessage();
        assertEquals(
                "a double[][] can't be sent or received into, as its rows lie apart in memory: send and receive it row"
                        + " by row, or keep it in one flat double[] at [row * columns + column]",
                message);
    }
}
