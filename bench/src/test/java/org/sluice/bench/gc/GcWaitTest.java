package org.sluice.bench.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.launch.JavaHome;

final class GcWaitTest {
    @Test
    void whatIsWrittenIsRead() {
        GcWaitReading reading = new GcWaitReading(8, 1, 20, 1L << 40);
        assertEquals(reading, GcWaitReading.parse(reading.encode()));
        assertNull(GcWaitReading.parse("gc-wait-reading 1 2"));
        assertNull(GcWaitReading.parse("something 1 2 3 4"));
    }

    @Test
    void theMedianIsBetweenTheMiddleTwo() {
        assertEquals(2, GcWaitBench.median(new long[] {1, 2, 9}));
        assertEquals(3, GcWaitBench.median(new long[] {1, 2, 4, 9}));
    }

    @Test
    @Tag("once")
    void eachRankSeesItsCollectionsAtEachSize() throws Exception {
        List<GcWaitReading> readings = new GcWaitRun(JavaHome.current(), List.of(8, 100_000), 1).readings();
        assertEquals(
                List.of("100000 0", "100000 1", "8 0", "8 1"),
                readings.stream()
                        .map(reading -> reading.size() + " " + reading.rank())
                        .sorted()
                        .collect(Collectors.toList()));
        for (GcWaitReading reading : readings) {
            assertTrue(reading.collections() > 0 && reading.worstNanos() > 0, reading::toString);
        }
    }
}
