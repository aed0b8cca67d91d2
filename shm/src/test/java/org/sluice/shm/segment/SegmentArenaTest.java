package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;

/** Message buffers in a segment's arena, read by a peer, copied and in place; and references that no Sluice made. */
final class SegmentArenaTest {
    private final Random random = new Random();
    private final RemoteReference reference = new RemoteReference();
    private TestRank[] ranks;
    private SegmentChannel owner;
    private SegmentChannel peer;

    @BeforeEach
    void open() {
        ranks = Segments.open(
                2,
                Segments.options("sluice.shm.arena.step.bytes", "64k", "sluice.shm.arena.limit.bytes", "64m"),
                Segments.os());
        owner = Segments.channel(ranks[0]);
        peer = Segments.channel(ranks[1]);
    }

    @AfterEach
    void close() {
        owner.close();
        peer.close();
    }

    private byte[] fill(long address, int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        Memory.copy(content, Memory.arrayOffset(content), null, address, bytes);
        return content;
    }

    private byte[] read(long address, int bytes) {
        byte[] content = new byte[bytes];
        Memory.copy(null, address, content, Memory.arrayOffset(content), bytes);
        return content;
    }

    @Test
    void aPeerCopiesOutOfTheArenaAndReadsItInPlace() {
        for (int bytes : new int[] {1, 100, 64 << 10, 1 << 20, 3_000_001}) {
            long address = owner.allocate(bytes);
            assertEquals(0, address % 64);
            byte[] content = fill(address, bytes);
            assertTrue(owner.describe(1, null, null, address, bytes, reference));
            assertEquals(SegmentChannel.ARENA, reference.key);
            byte[] copy = new byte[bytes];
            int half = bytes / 2;
            assertEquals(GetResult.DONE, peer.get(0, reference, 0, null, copy, Memory.arrayOffset(copy), half, null));
            assertEquals(
                    GetResult.DONE,
                    peer.get(0, reference, half, null, copy, Memory.arrayOffset(copy) + half, bytes - half, null));
            assertArrayEquals(content, copy);
            long there = peer.addressInPlace(0, reference, bytes);
            assertNotEquals(0, there);
            assertNotEquals(address, there, "each side has a mapping of its own");
            assertArrayEquals(content, read(there, bytes));
        }
    }

    @Test
    void memoryComesBackCleared() {
        long first = owner.allocate(200_000);
        fill(first, 200_000);
        owner.free(first);
        long again = owner.allocate(200_000);
        assertEquals(first, again);
        assertArrayEquals(new byte[200_000], read(again, 200_000));
    }

    @Test
    void whatNoMachineHasIsRefused() {
        for (long bytes : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 62, Long.MAX_VALUE - 64}) {
            assertEquals(
                    ErrorCode.NO_MEMORY,
                    assertThrows(SluiceException.class, () -> owner.allocate(bytes))
                            .code(),
                    () -> bytes + " bytes");
        }
    }

    @Test
    void partOfABufferIsDescribedAndWhatReachesOutIsNot() {
        long address = owner.allocate(1000);
        assertTrue(owner.describe(1, null, null, address + 100, 900, reference));
        owner.describe(1, null, null, address + 100, 100_000, reference);
        assertNotEquals(SegmentChannel.ARENA, reference.key);
        byte[] array = new byte[100];
        assertFalse(owner.describe(1, null, array, Memory.arrayOffset(array), 100, reference), "an array moves");
    }

    @Test
    void referencesThatNoSluiceMadeAreRefused() {
        long address = owner.allocate(100_000);
        assertTrue(owner.describe(1, null, null, address, 100_000, reference));
        long good = reference.address;
        byte[] target = new byte[1000];
        long at = Memory.arrayOffset(target);
        long[] offsets = {
            0, 4096, good - 1, good + 99_999_999, -1, -good, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 999
        };
        for (long offset : offsets) {
            reference.set(SegmentChannel.ARENA, offset, null);
            assertEquals(GetResult.FAILED, peer.get(0, reference, 0, null, target, at, 1000, null), "offset " + offset);
            assertEquals(0, peer.addressInPlace(0, reference, 1000), "offset " + offset);
        }
        reference.set(SegmentChannel.ARENA, good, null);
        assertEquals(GetResult.FAILED, peer.get(0, reference, Long.MAX_VALUE, null, target, at, 1000, null));
        assertEquals(GetResult.FAILED, peer.get(0, reference, -1, null, target, at, 1000, null));
        assertEquals(0, peer.addressInPlace(0, reference, Long.MAX_VALUE));
        assertEquals(0, peer.addressInPlace(0, reference, -1));
        assertEquals(GetResult.DONE, peer.get(0, reference, 0, null, target, at, 1000, null));
        reference.set(17, good, null);
        assertEquals(
                GetResult.FAILED, peer.get(0, reference, 0, null, target, at, 1000, null), "no key of this channel");
    }

    @Test
    void anExtentTableThatLiesIsNotBelieved() {
        long table = ownerHeader() + SegmentLayout.EXTENT_COUNT_AT;
        byte[] target = new byte[1000];
        long[][] lies = {
            {1, 1L << 30, 4096},
            {1, 0, 1L << 40},
            {1, 4096, 4096},
            {1, 0, Long.MAX_VALUE},
            {1, -4096, 1 << 20},
            {-1, 0, 0},
            {Long.MAX_VALUE, 0, 0},
            {1, 100, 1 << 20}
        };
        for (long[] lie : lies) {
            Memory.putLong(table + 8, lie[1]);
            Memory.putLong(table + 16, lie[2]);
            Memory.putLongRelease(table, lie[0]);
            reference.set(SegmentChannel.ARENA, lie[1], null);
            assertEquals(
                    GetResult.FAILED,
                    peer.get(0, reference, 0, null, target, Memory.arrayOffset(target), 1000, null),
                    "lie " + lie[1] + " " + lie[2]);
        }
    }

    /** Without the native library that is one above 2 GB; elsewhere whatever is beyond a limit of this process. */
    @Test
    void anExtentThatCannotBeMappedIsLeftToItsOwnerToStream() throws IOException {
        String secret = UUID.randomUUID().toString();
        SegmentChannel first = SegmentChannel.create(secret, 0, 2, new int[] {1}, Segments.options(), Segments.os());
        SegmentChannel second = SegmentChannel.create(secret, 1, 2, new int[] {0}, Segments.options(), Segments.noOs());
        try {
            second.connect(0, first.facts());
            SegmentFacts facts = SegmentFacts.decode(0, first.facts());
            long begin = facts.layout().bytes();
            long bytes = 3L << 30;
            try (RandomAccessFile file = new RandomAccessFile(facts.path(), "rw")) {
                file.setLength(begin + bytes); // Sparse: takes no memory.
            }
            long table = first.waitWord().futexAddress() - SegmentLayout.WAIT_WORD_AT + SegmentLayout.EXTENT_COUNT_AT;
            Memory.putLong(table + 8, begin);
            Memory.putLong(table + 16, bytes);
            Memory.putLongRelease(table, 1);
            byte[] target = new byte[1000];
            long at = Memory.arrayOffset(target);
            reference.set(SegmentChannel.ARENA, begin, null);
            assertEquals(GetResult.BY_STREAM, second.get(0, reference, 0, null, target, at, 1000, null));
            assertEquals(0, second.addressInPlace(0, reference, 1000), "it comes as a copy");
            assertEquals(
                    GetResult.FAILED,
                    second.get(0, reference, bytes, null, target, at, 1000, null),
                    "outside of the extent");
            Memory.putLong(table + 16, 2 * bytes);
            assertEquals(
                    GetResult.FAILED,
                    second.get(0, reference, 0, null, target, at, 1000, null),
                    "the file ends before");
        } finally {
            first.close();
            second.close();
        }
    }

    private long ownerHeader() {
        return owner.waitWord().futexAddress() - SegmentLayout.WAIT_WORD_AT;
    }

    @Test
    void theLimitIsToldWithItsName() {
        SluiceException refusal = assertThrows(SluiceException.class, () -> owner.allocate(100 << 20));
        assertEquals(ErrorCode.NO_MEMORY, refusal.code());
        assertTrue(refusal.getMessage().contains("sluice.shm.arena.limit.bytes allows 67108864"), refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> owner.allocate(-1));
        assertThrows(IllegalArgumentException.class, () -> owner.free(12345));
    }

    /** The numbers of the segment's descriptors are free again, and go to the files that are opened next. */
    @Test
    void aClosedSegmentGrowsNoOtherFile(@TempDir Path folder) throws IOException {
        owner.close();
        List<FileChannel> files = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                files.add(FileChannel.open(
                        folder.resolve("file" + i),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE));
            }
            SluiceException refusal = assertThrows(SluiceException.class, () -> owner.allocate(100_000));
            for (FileChannel file : files) {
                assertEquals(0, file.size(), "bytes in a file of the program");
            }
            assertEquals(ErrorCode.DEVICE_CLOSED, refusal.code(), refusal::getMessage);
        } finally {
            for (FileChannel file : files) {
                file.close();
            }
        }
    }

    @Test
    void manySmallBuffersNeedFewExtents() {
        for (int i = 0; i < 3000; i++) {
            owner.allocate(16 << 10);
        }
        long extents = Memory.getLong(ownerHeader() + SegmentLayout.EXTENT_COUNT_AT);
        assertTrue(extents < 100, extents + " extents for 48 MB in steps of 64 KB");
    }
}
