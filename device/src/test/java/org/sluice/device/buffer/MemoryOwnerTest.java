package org.sluice.device.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.memory.Memory;
import org.sluice.device.memory.NeedsUnsafe;

final class MemoryOwnerTest {
    @TempDir
    Path folder;

    private static void check(Object owner, long address, long bytes, MemoryOwner.Life life) {
        assertEquals(address, MemoryOwner.address(owner));
        assertEquals(bytes, MemoryOwner.bytes(owner));
        assertEquals(life, MemoryOwner.life(owner));
    }

    @Test
    void viewsOfADirectBufferBelongToIt() {
        NeedsUnsafe.toLookIntoBuffers();
        ByteBuffer whole = ByteBuffer.allocateDirect(1000);
        assertSame(whole, MemoryOwner.of(whole, null));
        assertSame(
                whole,
                MemoryOwner.of(
                        whole.slice(100, 200).asReadOnlyBuffer().duplicate().order(ByteOrder.LITTLE_ENDIAN), null));
        check(whole, Memory.address(whole), 1000, MemoryOwner.Life.COLLECTED);
        assertNotSame(
                MemoryOwner.of(ByteBuffer.allocateDirect(1000), null),
                MemoryOwner.of(ByteBuffer.allocateDirect(1000), null));
    }

    @Test
    void theHeapBelongsToNobodyHere() {
        assertNull(MemoryOwner.of(ByteBuffer.allocate(10), null));
        assertNull(MemoryOwner.of(new byte[10], null));
        assertNull(MemoryOwner.of(null, null));
        NeedsUnsafe.asChronicleDoes();
        Bytes<?> heap = Bytes.allocateElasticOnHeap(100);
        Object held = UserBuffer.hold(heap);
        assertNull(MemoryOwner.of(heap, held));
        UserBuffer.release(held);
    }

    @Test
    void viewsOfAMessageBufferBelongToIt() {
        MessageMemory memory = new MessageMemory(new CountingAllocator(), 500);
        assertSame(memory, MemoryOwner.of(memory, memory));
        assertSame(memory, MemoryOwner.of(memory.byteBuffer(100, 50), null));
        assertSame(memory, MemoryOwner.of(memory.byteBuffer().slice(3, 5), null));
        NeedsUnsafe.asChronicleDoes();
        Object view = memory.bytesView();
        Object held = UserBuffer.hold(view);
        assertSame(memory, MemoryOwner.of(view, held));
        UserBuffer.release(held);
        check(memory, memory.address(), 500, MemoryOwner.Life.CLOSED);
        memory.close();
    }

    /** An elastic Bytes that grows moves into another store; the request stays with the one that it was given. */
    @Test
    void bytesBelongToTheirStore() {
        NeedsUnsafe.asChronicleDoes();
        Bytes<?> bytes = Bytes.allocateElasticDirect(100);
        bytes.write(new byte[60]);
        Object held = UserBuffer.hold(bytes);
        Object owner = MemoryOwner.of(bytes, held);
        check(owner, UserBuffer.address(bytes, 0, false), 100, MemoryOwner.Life.UNKNOWN);
        bytes.ensureCapacity(10_000);
        assertSame(owner, MemoryOwner.of(bytes, held));
        Object later = UserBuffer.hold(bytes);
        assertNotSame(owner, MemoryOwner.of(bytes, later));
        UserBuffer.release(later);
        UserBuffer.release(held);
        bytes.releaseLast();
    }

    @Test
    void memoryOfSomebodyElseMayGoAtAnyTime() {
        NeedsUnsafe.toLookIntoBuffers();
        long address = Memory.allocate(100);
        ByteBuffer view = Memory.view(address, 100, new Object());
        check(MemoryOwner.of(view, null), address, 100, MemoryOwner.Life.UNKNOWN);
        ByteBuffer bare = Memory.view(address, 100, null);
        check(MemoryOwner.of(bare.slice(10, 20), null), address, 100, MemoryOwner.Life.UNKNOWN);
        Memory.free(address);
    }

    @Test
    void aMappedFileIsItsBuffers() throws Exception {
        NeedsUnsafe.toLookIntoBuffers();
        try (FileChannel file = FileChannel.open(Files.write(folder.resolve("file"), new byte[8192]))) {
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 100, 5000);
            check(MemoryOwner.of(mapped.slice(1, 2), null), Memory.address(mapped), 5000, MemoryOwner.Life.COLLECTED);
        }
    }
}
