package org.sluice.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.VerbsUse;

/** Which algorithms take part in a sweep, and what is said of the others. */
final class SluiceAlgorithmsTest {
    private static SluiceAlgorithms algorithms(Benchmark benchmark, Route route, Api api, int ranks) {
        return new SluiceAlgorithms(new BenchPlan(
                benchmark,
                route,
                api,
                BufferKind.ARRAY,
                ranks,
                List.of(8, 64 << 10),
                0,
                0,
                false,
                List.of(),
                false,
                false,
                1,
                1,
                1,
                VerbsUse.CHOSEN));
    }

    private static String refusal(Benchmark benchmark, Route route, Api api, int ranks, String name) {
        return algorithms(benchmark, route, api, ranks).refuses(name).orElse("");
    }

    @Test
    void everyCollectiveHasSome() {
        for (Benchmark each : Benchmark.named("collectives")) {
            SluiceAlgorithms all = algorithms(each, Route.SHM, Api.BLOCKING, 4);
            assertTrue(all.names().stream().anyMatch(name -> all.refuses(name).isEmpty()), each::label);
        }
    }

    @Test
    void thoseThatCannotDoItSitOut() {
        assertEquals(
                "sluice-recursive-doubling sits out: it can't do allgather of 6 ranks",
                refusal(Benchmark.ALLGATHER, Route.SHM, Api.BLOCKING, 6, "recursive-doubling"));
        assertEquals("", refusal(Benchmark.ALLGATHER, Route.SHM, Api.BLOCKING, 8, "recursive-doubling"));
        assertTrue(
                refusal(Benchmark.BARRIER, Route.SHM, Api.BLOCKING, 4, "tiers").contains("are as near"));
        assertTrue(
                refusal(Benchmark.BARRIER, Route.IB, Api.BLOCKING, 4, "cells").contains("share no memory"));
        assertTrue(refusal(Benchmark.SCAN, Route.SHM, Api.REQUEST, 4, "cells").contains("goes as messages"));
        assertTrue(refusal(Benchmark.SCAN, Route.SHM, Api.BLOCKING, 17, "cells").contains("of 17 ranks"));
        assertEquals("", refusal(Benchmark.SCAN, Route.SHM, Api.BLOCKING, 16, "cells"));
    }

    @Test
    void cellsTakePartAtTheirSizes() {
        SluiceAlgorithms scan = algorithms(Benchmark.SCAN, Route.THREADS, Api.BLOCKING, 2);
        assertTrue(scan.runs("cells").test(16 << 10));
        assertFalse(scan.runs("cells").test(17 << 10));
        assertTrue(scan.runs("recursive-doubling").test(1 << 20));
        SluiceAlgorithms toAll = algorithms(Benchmark.ALLTOALL, Route.THREADS, Api.BLOCKING, 4);
        assertTrue(toAll.runs("cells").test(32 << 10));
        assertFalse(toAll.runs("cells").test(33 << 10));
    }
}
