package org.sluice.bench.reuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.launch.JavaHome;

/** A real job, and a short one: that each number of uses is measured. */
@Tag("all")
@Tag("verbs")
final class ReuseRxeTest {
    private static final int SIZE = 64 << 10;
    private static final long MILLISECONDS = 20;

    @Test
    void eachNumberOfUsesIsMeasured() throws Exception {
        List<ReuseReading> readings = new ReuseRun(JavaHome.current(), List.of(SIZE), MILLISECONDS, true).readings();
        assertEquals(ReuseBench.USES, readings.stream().map(ReuseReading::uses).collect(Collectors.toList()));
        assertTrue(
                readings.stream().allMatch(reading -> reading.size() == SIZE && reading.nanos() > 0),
                readings::toString);
    }
}
