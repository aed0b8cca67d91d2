package org.sluice.device.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.MappedBytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.memory.Memory;
import org.sluice.device.memory.NeedsUnsafe;

/** Which buffers may lose their pages, and that it is found out where they have. */
final class MappedMemoryTest {
    private static final int BYTES = 10_000;
    private static final int ROUNDS = 20_000;

    @Test
    void whatMapsAFileIsTold() {
        try (CutFile file = new CutFile(new byte[BYTES])) {
            ByteBuffer mapped = file.buffer();
            for (ByteBuffer view : new ByteBuffer[] {
                mapped, mapped.duplicate(), mapped.slice(), mapped.slice(10, 20), mapped.asReadOnlyBuffer()
            }) {
                assertTrue(UserBuffer.isMapped(view), () -> view + " of a file");
                assertTrue(MappedMemory.isMapped(MemoryOwner.of(view, null)), () -> "the owner of " + view);
            }
        }
    }

    @Test
    void whatDoesNotIsNot() {
        NeedsUnsafe.asChronicleDoes();
        MessageMemory memory = new MessageMemory(new CountingAllocator(), 40);
        Object[] others = {
            null,
            new byte[8],
            new double[1],
            ByteBuffer.allocate(8),
            ByteBuffer.allocateDirect(8),
            memory,
            memory.byteBuffer(),
            Bytes.allocateElasticDirect(8),
            Bytes.wrapForRead(new byte[8]),
            memory.bytesView()
        };
        for (Object other : others) {
            assertFalse(UserBuffer.isMapped(other), () -> "" + other);
            assertFalse(MappedMemory.isMapped(other), () -> "" + other);
        }
    }

    @Test
    void bytesOverAFileAreToldToo(@TempDir Path directory) throws Exception {
        NeedsUnsafe.asChronicleDoes();
        try (MappedBytes bytes = MappedBytes.mappedBytes(new File(directory.toFile(), "file"), 1 << 16);
                CutFile file = new CutFile(new byte[BYTES])) {
            assertTrue(UserBuffer.isMapped(bytes));
            // As the device does, before anything else: it maps its chunk then.
            assertTrue(UserBuffer.bytesToReceive(bytes, 0, 8) > 0);
            Object held = UserBuffer.hold(bytes);
            assertTrue(MappedMemory.isMapped(MemoryOwner.of(bytes, held)));
            UserBuffer.release(held);
            assertTrue(UserBuffer.isMapped(Bytes.wrapForRead(file.buffer())));
        }
    }

    @Test
    void aPageThatIsGoneIsFoundAndLeavesNothingBehind() {
        byte[] content = UserBufferTest.numbered(1, BYTES);
        byte[] copy = new byte[BYTES];
        try (CutFile file = new CutFile(content)) {
            long address = Memory.address(file.buffer());
            for (int i = 0; i < ROUNDS; i++) {
                assertFalse(MappedMemory.isGone(address, BYTES, i % 2 == 0));
                MappedMemory.copyOut(file.buffer(), address, copy, BYTES);
            }
            assertArrayEquals(content, copy, "the look changes nothing");
            file.cut(4096);
            for (int i = 0; i < ROUNDS; i++) {
                assertFalse(MappedMemory.isGone(address, 4096, i % 2 == 0));
                assertTrue(MappedMemory.isGone(address, 4097, i % 2 == 0));
                assertTrue(MappedMemory.isGone(address + 4000, BYTES - 4000, i % 2 == 0));
                assertThrows(
                        BufferLostException.class, () -> MappedMemory.copyOut(file.buffer(), address, copy, BYTES));
            }
            assertDoesNotThrow(Memory::settle);
            Reference.reachabilityFence(file);
        }
    }
}
