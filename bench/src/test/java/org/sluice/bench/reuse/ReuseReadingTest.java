package org.sluice.bench.reuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class ReuseReadingTest {
    @Test
    void whatIsWrittenIsRead() {
        ReuseReading reading = new ReuseReading(1 << 20, 4, 1L << 40, 7, 1L << 41);
        assertEquals(reading, ReuseReading.parse(reading.encode()));
        assertNull(ReuseReading.parse("reuse-reading 1 2"));
        assertNull(ReuseReading.parse("something 1 2 3 4 5"));
    }
}
