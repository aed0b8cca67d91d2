package org.sluice.bench.reuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.launch.JavaHome;

/** Real jobs, and short ones: that each number of uses is measured, and memory registered as often as is said. */
@Tag("long")
@Tag("verbs")
final class ReuseRxeTest {
    /** The ring comes round again within a reading or two. */
    private static final int SIZE = 1 << 20;

    private static final long MILLISECONDS = 20;

    @Test
    void aBufferIsRegisteredOnceForAllItsUses() throws Exception {
        List<ReuseReading> readings = readings(true);
        assertEquals(ReuseBench.USES, readings.stream().map(ReuseReading::uses).collect(Collectors.toList()));
        for (ReuseReading reading : readings) {
            assertTrue(reading.size() == SIZE && reading.nanos() > 0, readings::toString);
            assertTrue(
                    reading.registrations() >= reading.buffers() && reading.registrations() <= 2L * reading.buffers(),
                    readings::toString);
        }
    }

    @Test
    void withoutACacheItIsForEachMessage() throws Exception {
        for (ReuseReading reading : readings(false)) {
            assertTrue(reading.registrations() >= (long) reading.uses() * reading.buffers(), reading::toString);
        }
    }

    private static List<ReuseReading> readings(boolean isCached) throws InterruptedException {
        return new ReuseRun(JavaHome.current(), List.of(SIZE), MILLISECONDS, isCached).readings();
    }
}
