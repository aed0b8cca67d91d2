package org.sluice.device.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.memory.Memory;

final class UserBufferTest {

    /** Each of 24 elements; with the size of one. */
    static Stream<Object[]> arrays() {
        return Stream.of(
                new Object[] {new byte[24], 1},
                new Object[] {new boolean[24], 1},
                new Object[] {new short[24], 2},
                new Object[] {new char[24], 2},
                new Object[] {new int[24], 4},
                new Object[] {new float[24], 4},
                new Object[] {new long[24], 8},
                new Object[] {new double[24], 8});
    }

    /** What the device would send of a buffer: the same three facts, and then a copy. */
    static byte[] read(Object buffer, long offset, long count) {
        long bytes = UserBuffer.bytesToSend(buffer, offset, count);
        byte[] copy = new byte[Math.toIntExact(bytes)];
        Memory.copy(
                UserBuffer.base(buffer),
                UserBuffer.address(buffer, offset, false),
                copy,
                Memory.arrayOffset(copy),
                bytes);
        return copy;
    }

    /** What the device would do with a message that arrived. */
    static void write(Object buffer, long offset, long count, byte[] message) {
        long bytes = Math.min(UserBuffer.bytesToReceive(buffer, offset, count), message.length);
        Memory.copy(
                message,
                Memory.arrayOffset(message),
                UserBuffer.base(buffer),
                UserBuffer.address(buffer, offset, true),
                bytes);
        UserBuffer.received(buffer, UserBuffer.address(buffer, offset, true), bytes);
    }

    static byte[] numbered(int first, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }

    private static void outside(Object buffer, long offset, long count, String... parts) {
        String message = assertThrows(
                        IndexOutOfBoundsException.class, () -> UserBuffer.bytesToSend(buffer, offset, count))
                .getMessage();
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
        assertThrows(IndexOutOfBoundsException.class, () -> UserBuffer.bytesToReceive(buffer, offset, count));
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void offsetsAndCountsOfArraysAreElements(Object array, int size) {
        assertEquals(size, UserBuffer.elementSize(array));
        assertEquals(24L * size, UserBuffer.bytesToSend(array, 0, Device.WHOLE));
        assertEquals(17L * size, UserBuffer.bytesToSend(array, 7, Device.WHOLE));
        assertEquals(3L * size, UserBuffer.bytesToReceive(array, 21, 3));
        assertEquals(0, UserBuffer.bytesToReceive(array, 24, Device.WHOLE));
        assertEquals(0, UserBuffer.bytesToSend(array, 24, 0));
        assertSame(array, UserBuffer.base(array));
        assertEquals(UserBuffer.address(array, 0, false) + 5L * size, UserBuffer.address(array, 5, true));
        assertNull(UserBuffer.hold(array), "a request's reference is enough");
        UserBuffer.release(null);
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void arraysAreReadAndWrittenWhereTheyShould(Object array, int size) {
        byte[] ones = new byte[size];
        ones[0] = 1;
        write(array, 23, 1, ones);
        Object one = Array.get(array, 23);
        assertFalse(
                one.equals(Array.get(array, 22)),
                "element 23 of " + array.getClass().getTypeName());
        assertEquals(Array.get(array, 21), Array.get(array, 22));
        assertArrayEquals(ones, read(array, 23, Device.WHOLE));
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void whatLiesOutsideAnArrayIsRefusedWithTheNumbers(Object array, int size) {
        outside(array, 25, Device.WHOLE, "offset 25", "WHOLE", "24 element(s) of " + size);
        outside(array, -1, 3, "offset -1", "count 3");
        outside(array, 0, 25, "count 25");
        outside(array, 20, 5, "offset 20", "count 5");
        outside(array, 3, -2, "count -2");
        outside(array, Long.MAX_VALUE, 1);
        outside(array, 1, Long.MAX_VALUE);
        outside(array, Long.MIN_VALUE, Device.WHOLE);
    }

    private static List<ByteBuffer> byteBuffers() {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (ByteBuffer whole : List.of(ByteBuffer.allocate(40), ByteBuffer.allocateDirect(40))) {
            whole.put(0, numbered(0, 40));
            buffers.add(whole.duplicate().position(8).limit(32));
            buffers.add(whole.duplicate().position(8).limit(32).slice());
            buffers.add(whole.slice(4, 30).position(4).limit(28));
        }
        return buffers;
    }

    @Test
    void byteBuffersReachFromPositionToLimit() {
        for (ByteBuffer buffer : byteBuffers()) {
            int position = buffer.position();
            int limit = buffer.limit();
            assertArrayEquals(numbered(8, 24), read(buffer, 0, Device.WHOLE));
            assertArrayEquals(numbered(18, 5), read(buffer, 10, 5));
            assertArrayEquals(numbered(8, 24), read(buffer.asReadOnlyBuffer(), 0, Device.WHOLE), "it may be sent");
            write(buffer, 20, 4, numbered(100, 4));
            assertArrayEquals(numbered(26, 2), read(buffer, 18, 2));
            assertArrayEquals(numbered(100, 4), read(buffer, 20, 4));
            write(buffer, 20, 4, numbered(28, 4));
            outside(buffer, 21, 4, "24 element(s) of 1");
            outside(buffer, 25, Device.WHOLE);
            assertEquals(position, buffer.position(), "position and limit are never moved");
            assertEquals(limit, buffer.limit());
            assertNull(UserBuffer.hold(buffer));
        }
    }

    @Test
    void readOnlyBuffersAreNotReceivedInto() {
        for (ByteBuffer buffer : byteBuffers()) {
            String message = assertThrows(
                            IllegalArgumentException.class,
                            () -> UserBuffer.bytesToReceive(buffer.asReadOnlyBuffer(), 0, 1))
                    .getMessage();
            assertTrue(message.contains("read-only"), message);
        }
    }

    @Test
    void nullIsTheEmptyMessage() {
        assertEquals(0, UserBuffer.bytesToSend(null, 0, Device.WHOLE));
        assertEquals(0, UserBuffer.bytesToReceive(null, 0, 0));
        assertEquals(1, UserBuffer.elementSize(null));
        assertNull(UserBuffer.base(null));
        assertNull(UserBuffer.hold(null));
        UserBuffer.received(null, 0, 0);
        outside(null, 0, 1, "0 element(s)");
    }

    @Test
    void messageBuffersAreHeldWhileInUse() {
        MessageMemory memory = new MessageMemory(new CountingAllocator(), 40);
        for (int i = 0; i < 40; i++) {
            memory.putByte(i, (byte) i);
        }
        assertArrayEquals(numbered(30, 10), read(memory, 30, Device.WHOLE));
        write(memory, 5, 2, numbered(90, 9));
        assertArrayEquals(new byte[] {4, 90, 91, 7}, read(memory, 4, 4));
        outside(memory, 40, 1, "40 element(s)");
        Object held = UserBuffer.hold(memory);
        assertThrows(IllegalStateException.class, memory::close);
        UserBuffer.release(held);
        memory.close();
        assertThrows(IllegalStateException.class, () -> UserBuffer.bytesToSend(memory, 0, 1));
        assertThrows(IllegalStateException.class, () -> UserBuffer.hold(memory));
    }

    @Test
    void theMemoryUnderAViewIsHeldWhileItIsInUse() {
        MessageMemory memory = new MessageMemory(new CountingAllocator(), 40);
        ByteBuffer view = memory.byteBuffer();
        Object[] views = {
            view,
            view.slice(3, 20),
            view.duplicate().position(4).slice().duplicate(),
            view.asReadOnlyBuffer(),
            memory.byteBuffer(8, 0),
            Memory.isUnsafe() ? memory.bytesView() : view,
            Memory.isUnsafe() ? Bytes.wrapForRead(memory.byteBuffer()) : view
        };
        for (Object each : views) {
            assertTrue(UserBuffer.needsOperation(each), each::toString);
            Object held = UserBuffer.hold(each);
            assertThrows(IllegalStateException.class, memory::close, each::toString);
            UserBuffer.release(held);
        }
        memory.close();
        for (Object each : views) {
            assertThrows(IllegalStateException.class, () -> UserBuffer.bytesToSend(each, 0, 0), each::toString);
            assertThrows(IllegalStateException.class, () -> UserBuffer.hold(each), each::toString);
        }
        ByteBuffer own = ByteBuffer.allocateDirect(8);
        assertFalse(UserBuffer.needsOperation(own)
                || UserBuffer.needsOperation(own.slice())
                || UserBuffer.needsOperation(ByteBuffer.allocate(8)));
    }

    @Test
    void everythingElseIsRefusedWithWhatIsAllowed() {
        Object foreign = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {MessageBuffer.class}, (proxy, method, arguments) -> null);
        for (Object wrong : List.of("text", new Integer[1], List.of(1), new Object(), foreign)) {
            String message = assertThrows(
                            IllegalArgumentException.class, () -> UserBuffer.bytesToSend(wrong, 0, Device.WHOLE))
                    .getMessage();
            assertTrue(message.contains(wrong.getClass().getTypeName()), message);
            String allowed =
                    "allowed are arrays of primitive types, ByteBuffer, DoubleBuffer and the like, MessageBuffer,"
                            + " Chronicle Bytes";
            assertTrue(message.contains(allowed), message);
            assertEquals(wrong == foreign, message.contains("not one of Device.allocate"), message);
            assertThrows(IllegalArgumentException.class, () -> UserBuffer.bytesToReceive(wrong, 0, Device.WHOLE));
        }
    }
}
