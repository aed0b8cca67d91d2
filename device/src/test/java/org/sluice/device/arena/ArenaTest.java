package org.sluice.device.arena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;

final class ArenaTest {
    private static final int EXTENT_BYTES = 4096;

    /** Each extent begins in memory where the one before ends, as the kernel often maps them. */
    private static final class Adjoining implements ExtentSource {
        private final ByteBuffer memory = ByteBuffer.allocateDirect(3 * EXTENT_BYTES);
        private final List<Long> givenBack = new ArrayList<>();
        private int extents;

        @Override
        public Extent extend(long bytes) {
            long offset = (long) extents++ * EXTENT_BYTES;
            return new Extent(offset, EXTENT_BYTES, Memory.address(memory) + offset, memory);
        }

        @Override
        public void giveBack(Extent extent) {
            givenBack.add(extent.offset());
        }
    }

    @Test
    void anExtentGoesBackOnceTheArenaIsClosedAndItsLastBufferIsFree() {
        Adjoining source = new Adjoining();
        Arena arena = new Arena(source);
        long[] buffers = {
            arena.allocate(EXTENT_BYTES), arena.allocate(64), arena.allocate(64), arena.allocate(EXTENT_BYTES)
        };
        arena.free(buffers[0]);
        arena.free(buffers[1]);
        assertEquals(List.of(), source.givenBack);
        arena.close();
        assertEquals(List.of(0L), source.givenBack);
        arena.free(buffers[3]);
        arena.free(buffers[2]);
        assertEquals(List.of(0L, 2L * EXTENT_BYTES, 1L * EXTENT_BYTES), source.givenBack);
    }

    @Test
    void theFirstBufferOfAnExtentThatAdjoinsAnotherIsFreed() {
        Arena arena = new Arena(new Adjoining());
        long[] buffers = {arena.allocate(EXTENT_BYTES), arena.allocate(EXTENT_BYTES), arena.allocate(EXTENT_BYTES)};
        assertEquals(buffers[0] + EXTENT_BYTES, buffers[1]);
        assertEquals(buffers[1] + EXTENT_BYTES, buffers[2]);
        for (int i = 2; i >= 0; i--) {
            arena.free(buffers[i]);
            assertEquals(buffers[i], arena.allocate(EXTENT_BYTES), "it is free for the next");
            arena.free(buffers[i]);
        }
        assertThrows(
                IllegalArgumentException.class, () -> arena.free(buffers[2] + EXTENT_BYTES), "behind the last extent");
    }
}
