package org.sluice.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ApiTest {

    private static List<String> benchmarks(Api api) {
        return Arrays.stream(Benchmark.values())
                .filter(benchmark -> api.refuses(benchmark).isEmpty())
                .filter(benchmark -> !benchmark.crowded() && !benchmark.isCollective())
                .map(Benchmark::label)
                .toList();
    }

    @Test
    void someCallsRunSomeBenchmarks() {
        assertEquals(List.of("latency", "bandwidth", "rate"), benchmarks(Api.BLOCKING));
        assertEquals(List.of("latency", "bandwidth", "rate"), benchmarks(Api.COMMUNICATOR));
        assertEquals(List.of("latency", "bandwidth", "rate"), benchmarks(Api.ROUTE));
        assertEquals(
                List.of(
                        "latency",
                        "bandwidth",
                        "bibandwidth",
                        "rate",
                        "neighbor",
                        "overlap",
                        "overlap-allreduce",
                        "kneighbor",
                        "kneighbor-huge",
                        "one-to-all"),
                benchmarks(Api.REQUEST));
        assertEquals(List.of("latency", "bandwidth", "bibandwidth", "rate", "neighbor"), benchmarks(Api.COROUTINE));
        assertEquals(
                List.of("latency", "bandwidth", "rate", "kneighbor", "kneighbor-huge", "one-to-all"),
                benchmarks(Api.HANDLER));
        assertEquals(List.of("latency", "bandwidth", "rate", "objects"), benchmarks(Api.MPIJAVA));
        assertEquals(List.of("latency", "bandwidth", "rate"), benchmarks(Api.OPENMPI));
        for (Benchmark crowd : Benchmark.named("crowd")) {
            assertEquals(
                    "--api blocking, --api request" + (crowd == Benchmark.CROWD_POSTED ? ", --api coroutine" : ""),
                    Api.allowed(crowd));
        }
        for (Benchmark collective : Benchmark.named("collectives")) {
            assertEquals("--api blocking, --api request, --api mpijava, --api openmpi", Api.allowed(collective));
        }
    }

    @Test
    void dialectsHaveTheBuffersOfTheirOriginals() {
        for (BufferKind kind : BufferKind.values()) {
            assertEquals(
                    kind == BufferKind.ARRAY,
                    Api.MPIJAVA.refuses(kind, Route.SHM).isEmpty(),
                    kind::label);
            assertEquals(
                    kind == BufferKind.ARRAY || kind == BufferKind.DIRECT,
                    Api.OPENMPI.refuses(kind, Route.THREADS).isEmpty(),
                    kind::label);
            assertEquals(Optional.empty(), Api.BLOCKING.refuses(kind, Route.ALL), kind::label);
            assertEquals(
                    kind != BufferKind.PACKED && kind != BufferKind.ONE,
                    Api.REQUEST.refuses(kind, Route.SHM).isEmpty(),
                    kind::label);
            assertEquals(
                    kind != BufferKind.PACKED && kind != BufferKind.ONE,
                    kind.refuses(Benchmark.ALLREDUCE).isEmpty(),
                    kind::label);
            assertEquals(kind != BufferKind.ONE, kind.refuses(Benchmark.RATE).isEmpty(), kind::label);
            assertEquals(Optional.empty(), kind.refuses(Benchmark.LATENCY), kind::label);
        }
        assertTrue(Api.OPENMPI.refuses(BufferKind.ARRAY, Route.ALL).isPresent());
    }

    @Test
    void oneThatIsUnknownIsRefusedWithThoseThatAre() {
        String message = assertThrows(IllegalArgumentException.class, () -> Api.of("fibre"))
                .getMessage();
        assertTrue(
                message.contains("'fibre'") && message.contains("blocking, communicator, route, request, coroutine"),
                message);
    }
}
