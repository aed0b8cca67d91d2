package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;

final class WaitWordTest {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(64);
    private final long address = Memory.address(memory);
    private final List<Long> woken = new ArrayList<>();
    private final WaitWord word = new WaitWord(address, memory, woken::add);

    @Test
    void nobodyIsRungWhoIsAwake() {
        assertFalse(word.ringIfSleeping());
        assertEquals(0, word.sequence());
        assertEquals(List.of(), woken);
    }

    @Test
    void aSleeperIsRungAndSeesThatTheSequenceMoved() {
        int before = word.sequence();
        word.announceSleep();
        assertTrue(word.ringIfSleeping());
        assertEquals(before + 1, word.sequence(), "a sleep that begins now ends at once");
        assertEquals(List.of(word.futexAddress()), woken);
        word.awake();
        assertFalse(word.ringIfSleeping());
    }

    @Test
    void theWordsLieWhereTheProtocolSays() {
        word.announceSleep();
        word.ring();
        assertEquals(1, Memory.getInt(address), "sequence");
        assertEquals(1, Memory.getInt(address + 4), "sleeping");
        assertEquals(0, Memory.getLong(address + WaitWord.BYTES), "and nothing behind");
        assertEquals(address, word.futexAddress());
    }

    @Test
    void ringingWorksWithoutANativeLibrary() {
        WaitWord plain = new WaitWord(address, memory, null);
        plain.announceSleep();
        assertTrue(plain.ringIfSleeping());
        assertEquals(1, word.sequence());
    }
}
