package org.sluice.bench.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class PaperRunTest {
    private static String onCores(int cores, String arguments) {
        return PaperRun.of("run", 1, arguments, 0, null).forCores(cores).line(false);
    }

    @Test
    void whoOnlySpinsTakesPartWhereEachRankHasACore() {
        String four = "allreduce --ranks 4 --peers openmpi,mpich";
        assertEquals("./sluice bench " + four, onCores(4, four));
        assertEquals("./sluice bench allreduce --ranks 4 --peers openmpi", onCores(2, four));
        assertEquals(
                "./sluice bench kneighbor --peers handler", onCores(2, "kneighbor --peers handler,mpich"), "8 ranks");
        assertEquals("./sluice bench latency --peers mpich", onCores(2, "latency --peers mpich"));
        assertEquals("./sluice bench cg --ranks 16", onCores(2, "cg --ranks 16"));
    }
}
