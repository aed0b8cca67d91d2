package org.sluice.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class StatusTest {
    private final Status status = new Status();

    @Test
    void aNewStatusNamesNobody() {
        assertEquals(-1, status.source());
        assertEquals(-1, status.tag());
        assertEquals(-1, status.contextId());
        assertEquals(0, status.bytes());
        assertEquals(0, status.count());
        assertEquals(ErrorCode.NONE, status.error());
    }

    @Test
    void allFieldsAreReplacedAtOnce() {
        status.set(3, 7, 2, 40, 8, ErrorCode.TRUNCATED);
        status.set(1, 0, 0, 5L << 30, 4, ErrorCode.NONE);
        assertEquals(1, status.source());
        assertEquals(0, status.tag());
        assertEquals(0, status.contextId());
        assertEquals(5L << 30, status.bytes(), "lengths are longs");
        assertEquals(5L << 28, status.count());
        assertEquals(ErrorCode.NONE, status.error());
    }

    @Test
    void aProbeIsAskedForElements() {
        status.set(0, 0, 0, 5L << 30, 1, ErrorCode.NONE);
        assertEquals(5L << 27, status.count(Double.BYTES));
        status.set(0, 0, 0, 12, 1, ErrorCode.NONE);
        String odd = assertThrows(IllegalArgumentException.class, () -> status.count(8))
                .getMessage();
        assertTrue(odd.contains("12 bytes") && odd.contains("8 bytes"), odd);
        assertThrows(IllegalArgumentException.class, () -> status.count(0));
    }

    @Test
    void onlyWholeElementsCount() {
        status.set(0, 0, 0, 23, 8, ErrorCode.ELEMENT_MISMATCH);
        assertEquals(2, status.count());
        status.set(0, 0, 0, 7, 8, ErrorCode.ELEMENT_MISMATCH);
        assertEquals(0, status.count());
    }

    @Test
    void itsTextNamesEverything() {
        status.set(3, 7, 2, 40, 8, ErrorCode.TRUNCATED);
        String text = status.toString();
        for (String part : new String[] {"source 3", "tag 7", "context 2", "40 bytes", "TRUNCATED"}) {
            assertTrue(text.contains(part), text);
        }
    }
}
