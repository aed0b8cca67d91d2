package org.sluice.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.VerbsUse;

final class SluiceRequestsTest {
    @Test
    void eachNumberIsRacedWithAndWithout() {
        BenchPlan plan = new BenchPlan(
                Benchmark.RATE,
                Route.IB,
                Api.REQUEST,
                BufferKind.ARRAY,
                2,
                List.of(8),
                1,
                0,
                false,
                List.of(),
                false,
                false,
                0,
                0,
                1,
                VerbsUse.CHOSEN);
        List<String> labels = SluiceRequests.contestants(200, plan, JavaCommand.of(null), Cores.parse("")).stream()
                .map(Contestant::peer)
                .toList();
        assertEquals(List.of("sluice-200", "sluice-200-whole", "sluice-200-separate"), labels);
    }

    @Test
    void whatMeansNothingIsRefused() {
        assertDoesNotThrow(() -> SluiceRequests.check(4096, Benchmark.RATE, Route.IB));
        refused(() -> SluiceRequests.check(4097, Benchmark.RATE, Route.IB), "allowed is 1 to 4096");
        refused(() -> SluiceRequests.check(8, Benchmark.RATE, Route.TCP), "name --channel ib, not tcp");
        refused(() -> SluiceRequests.check(8, Benchmark.ALLREDUCE, Route.IB), "it is for rate and bandwidth");
    }

    private static void refused(Runnable check, String words) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, check::run);
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
    }
}
