package org.sluice.bench.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ProcessorTimeTest {
    @Test
    void sharesAreOfTheTimeBetween() {
        ProcessorTime before = ProcessorTime.parse("cpu  100 0 100 700 100 0 0 0 0 0");
        ProcessorTime after = ProcessorTime.parse("cpu  130 0 110 740 100 0 0 20 10 0");
        assertEquals(60, after.busySince(before), 0.001);
        assertEquals(20, after.stealSince(before), 0.001);
        assertEquals(0, before.busySince(before));
    }

    @Test
    void theKernelSays() {
        assertTrue(ProcessorTime.now().all() > 0);
    }
}
