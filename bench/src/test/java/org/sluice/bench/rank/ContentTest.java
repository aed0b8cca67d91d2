package org.sluice.bench.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentTest {
    private final Content content = new Content();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 1000, 4096, 10_001})
    void whatWasWrittenIsFoundAndASingleChangedByteIsNot(int size) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * size);
        content.write(buffer, size, 5, 1, 0);
        content.check(buffer, size, 5, 1, 0);
        for (int at = size; at < 2 * size; at++) {
            buffer.put(at, (byte) (buffer.get(at) ^ 1));
            assertThrows(IllegalStateException.class, () -> content.check(buffer, size, 5, 1, 0));
            buffer.put(at, (byte) (buffer.get(at) ^ 1));
        }
    }

    @Test
    void aMessageOfAnotherIterationSlotOrRankIsFoundOut() {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        content.write(buffer, 64, 5, 0, 0);
        String message = assertThrows(IllegalStateException.class, () -> content.check(buffer, 64, 6, 0, 0))
                .getMessage();
        assertTrue(message.contains("iteration 6") && message.contains("byte 0"), message);
        assertThrows(IllegalStateException.class, () -> content.check(buffer, 64, 5, 0, 1, 0));
        assertThrows(IllegalStateException.class, () -> content.check(buffer, 64, 5, 0, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 100, 4096, 10_000})
    void rewritingTouchesEveryByteOfItsSlotAndNoOther(int size) {
        ByteBuffer buffer = ByteBuffer.allocate(3 * size);
        content.rewrite(buffer, size, size, 0x01010101);
        for (int at = 0; at < buffer.capacity(); at++) {
            boolean inside = at >= size && at < 2 * size;
            boolean firstWord = at < size + Long.BYTES;
            assertTrue(inside ? firstWord || buffer.get(at) == 0x5A : buffer.get(at) == 0, "byte " + at);
        }
        if (size > 0) {
            assertEquals(1, Math.max(buffer.get(size), size >= Long.BYTES ? buffer.get(size + Long.BYTES - 1) : 0));
        }
    }
}
