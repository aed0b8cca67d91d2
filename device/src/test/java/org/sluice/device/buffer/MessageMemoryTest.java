package org.sluice.device.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CyclicBarrier;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;
import org.sluice.device.memory.NeedsUnsafe;

@Tag("conformance")
final class MessageMemoryTest {
    private final CountingAllocator allocator = new CountingAllocator();
    private final MessageMemory buffer = new MessageMemory(allocator, 64);

    @Test
    void itStartsZeroedAndOpen() {
        assertEquals(64, buffer.bytes());
        assertFalse(buffer.isClosed());
        for (int i = 0; i < 64; i++) {
            assertEquals(0, buffer.getByte(i));
        }
        assertEquals("MessageBuffer[64 bytes]", buffer.toString());
    }

    @Test
    void valuesComeBackAtAnyOffset() {
        buffer.putByte(63, (byte) -1);
        assertEquals(-1, buffer.getByte(63));
        buffer.putShort(61, Short.MIN_VALUE);
        assertEquals(Short.MIN_VALUE, buffer.getShort(61));
        buffer.putChar(1, '\uFFFE');
        assertEquals('\uFFFE', buffer.getChar(1));
        buffer.putInt(3, 0x01020304);
        assertEquals(0x01020304, buffer.getInt(3));
        buffer.putLong(11, Long.MIN_VALUE + 1);
        assertEquals(Long.MIN_VALUE + 1, buffer.getLong(11));
        buffer.putFloat(21, Float.MIN_VALUE);
        assertEquals(Float.MIN_VALUE, buffer.getFloat(21));
        buffer.putDouble(29, -0.0);
        assertEquals(Double.doubleToRawLongBits(-0.0), Double.doubleToRawLongBits(buffer.getDouble(29)));
    }

    @Test
    void accessEndsAtTheBounds() {
        buffer.putLong(56, 1);
        buffer.putInt(60, 1);
        String message = assertThrows(IndexOutOfBoundsException.class, () -> buffer.getLong(57))
                .getMessage();
        assertTrue(message.contains("offset 57") && message.contains("8 bytes") && message.contains("64"), message);
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.putByte(64, (byte) 0));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.getByte(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.putInt(61, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.getShort(63));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.putChar(63, 'a'));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.getDouble(Long.MAX_VALUE));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.getFloat(Long.MIN_VALUE));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.byteBuffer(1, 64));
        assertThrows(IllegalArgumentException.class, () -> buffer.byteBuffer(0, -1));
        assertThrows(IllegalArgumentException.class, () -> new MessageMemory(allocator, -1));
        assertEquals(1, allocator.allocated.get(), "nothing is allocated for a length that is refused");
    }

    @Test
    void byteBufferViewsWriteThrough() {
        ByteBuffer view = buffer.byteBuffer(8, 16);
        assertEquals(16, view.remaining());
        assertEquals(ByteOrder.nativeOrder(), view.order());
        view.putLong(77);
        assertEquals(77, buffer.getLong(8));
        assertEquals(64, buffer.byteBuffer().remaining());
        assertEquals(0, buffer.byteBuffer(64, 0).remaining());
        Reference.reachabilityFence(buffer);
    }

    @Test
    void bytesViewsWriteThroughAndEndWithTheBuffer() {
        NeedsUnsafe.asChronicleDoes();
        Bytes<?> view = (Bytes<?>) buffer.bytesView();
        assertEquals(0, view.readRemaining());
        assertEquals(64, view.writeRemaining());
        view.writeLong(5).writeLong(6);
        assertEquals(6, buffer.getLong(8));
        view.writePosition(60);
        assertThrows(java.nio.BufferOverflowException.class, () -> view.writeLong(7));
        Reference.reachabilityFence(buffer);
    }

    @Test
    void closeGivesTheMemoryBackOnce() {
        buffer.close();
        buffer.close();
        assertTrue(buffer.isClosed());
        assertEquals(1, allocator.freed.get());
        assertEquals("MessageBuffer[64 bytes, closed]", buffer.toString());
    }

    @Test
    void everyAccessAfterCloseIsRefused() {
        buffer.close();
        String message = assertThrows(IllegalStateException.class, () -> buffer.getByte(0))
                .getMessage();
        assertTrue(message.contains("64 bytes is closed or was given away"), message);
        assertThrows(IllegalStateException.class, () -> buffer.putLong(0, 1));
        assertThrows(IllegalStateException.class, buffer::byteBuffer);
        assertThrows(IllegalStateException.class, buffer::bytesView);
        assertThrows(IllegalStateException.class, buffer::hold);
        assertThrows(IllegalStateException.class, buffer::giveAway);
    }

    @Test
    void closeIsRefusedWhileRequestsUseTheMemory() {
        buffer.hold();
        buffer.hold();
        buffer.release();
        String message =
                assertThrows(IllegalStateException.class, buffer::close).getMessage();
        assertTrue(message.contains("can't be closed while 1 request(s) use it"), message);
        assertThrows(IllegalStateException.class, buffer::giveAway);
        buffer.putInt(0, 1);
        assertFalse(buffer.isClosed());
        buffer.release();
        buffer.close();
        assertEquals(1, allocator.freed.get());
    }

    @Test
    void whatWasGivenAwayIsClosedForItsUserAndFreedLater() {
        buffer.giveAway();
        assertTrue(buffer.isClosed());
        assertThrows(IllegalStateException.class, () -> buffer.getByte(0));
        assertThrows(IllegalStateException.class, buffer::giveAway);
        buffer.close();
        assertEquals(0, allocator.freed.get(), "the receiver still reads it");
        buffer.free();
        buffer.free();
        assertEquals(1, allocator.freed.get());
    }

    @Test
    void anEmptyBufferIsABuffer() {
        try (MessageMemory empty = new MessageMemory(allocator, 0)) {
            assertEquals(0, empty.byteBuffer().remaining());
            assertThrows(IndexOutOfBoundsException.class, () -> empty.getByte(0));
        }
    }

    @Test
    void whatIsLeakedComesBackAfterACollection() throws InterruptedException {
        leak();
        awaitFreed(1);
    }

    private void leak() {
        new MessageMemory(allocator, 128).putInt(0, 1);
    }

    @Test
    void aViewKeepsALeakedBufferAlive() throws InterruptedException {
        ByteBuffer view = leakButForAView();
        Bytes<?> bytes = Memory.isUnsafe() ? leakButForBytes() : null;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertEquals(0, allocator.freed.get());
        view.putInt(0, 7);
        if (bytes != null) {
            bytes.writeInt(8);
        }
        Reference.reachabilityFence(view);
        Reference.reachabilityFence(bytes);
        view = null;
        bytes = null;
        awaitFreed(Memory.isUnsafe() ? 2 : 1);
    }

    private ByteBuffer leakButForAView() {
        return new MessageMemory(allocator, 128).byteBuffer().slice();
    }

    private Bytes<?> leakButForBytes() {
        return (Bytes<?>) new MessageMemory(allocator, 128).bytesView();
    }

    private void awaitFreed(int count) throws InterruptedException {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (allocator.freed.get() < count && System.nanoTime() < deadline) {
            System.gc();
            Thread.sleep(5);
        }
        assertEquals(count, allocator.freed.get());
    }

    /** Close either closes or says that it did not; a request either holds the memory or is refused. */
    @Test
    void closeAndHoldRace() throws Exception {
        int rounds = 20_000;
        MessageMemory[] buffers = new MessageMemory[rounds];
        for (int i = 0; i < rounds; i++) {
            buffers[i] = new MessageMemory(allocator, 8);
        }
        CyclicBarrier start = new CyclicBarrier(2);
        int[] wrong = new int[1];
        Thread user = new Thread(() -> {
            await(start);
            for (MessageMemory each : buffers) {
                try {
                    each.hold();
                    wrong[0] += each.isClosed() ? 1 : 0;
                    each.release();
                } catch (IllegalStateException closed) {
                    wrong[0] += each.isClosed() ? 0 : 1;
                }
            }
        });
        user.start();
        await(start);
        int refused = 0;
        for (MessageMemory each : buffers) {
            try {
                each.close();
                refused += each.isClosed() ? 0 : rounds;
            } catch (IllegalStateException inUse) {
                assertFalse(inUse.getMessage().contains(" 0 request"), inUse.getMessage());
                refused++;
            }
        }
        user.join();
        assertEquals(0, wrong[0]);
        assertEquals(rounds - refused, allocator.freed.get(), refused + " closes were refused");
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
