package org.sluice.bench.rank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Rewrite;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.launch.JobServer;

/** Messages that are all answered carry what they should, between ranks of this JVM. */
@Tag("once")
final class AnsweredStepsTest {
    private static final int LIMIT_SECONDS = 60;

    private static Step step(Benchmark benchmark, int k, int size, boolean verified) {
        int window = benchmark.isNeighbourly() ? 2 * k : 1;
        return new Step(benchmark, Api.REQUEST, size, 3, 4, 2, Rewrite.NO, verified, window);
    }

    /** The ranks of a job, and what they do. */
    private static final class Ranks implements AutoCloseable {
        private final JobServer server;
        private final List<Steps> all = new ArrayList<>();

        Ranks(int count, Api api, BufferKind kind) throws Exception {
            server = JobServer.start(count);
            Map<String, String> options = server.options(0, count);
            List<FutureTask<Device>> devices = new ArrayList<>();
            for (int rank = 0; rank < count; rank++) {
                int own = rank;
                devices.add(start(() -> Device.open(own, options)));
            }
            for (FutureTask<Device> device : devices) {
                Device opened = device.get(LIMIT_SECONDS, TimeUnit.SECONDS);
                all.add(api == Api.HANDLER ? new AnsweredHandlers(opened, kind) : new AnsweredRequests(opened, kind));
            }
        }

        long[] run(Step step) throws Exception {
            List<FutureTask<long[]>> runs = new ArrayList<>();
            for (Steps steps : all) {
                runs.add(start(() -> steps.run(step)));
            }
            for (FutureTask<long[]> run : runs.subList(1, runs.size())) {
                assertEquals(0, run.get(LIMIT_SECONDS, TimeUnit.SECONDS).length, "only rank 0 times");
            }
            return runs.get(0).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void close() throws Exception {
            List<FutureTask<Void>> closes = new ArrayList<>();
            for (Steps steps : all) {
                closes.add(start(() -> {
                    steps.close();
                    return null;
                }));
            }
            for (FutureTask<Void> close : closes) {
                close.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
            server.close();
        }
    }

    private static <T> FutureTask<T> start(Callable<T> body) {
        FutureTask<T> task = new FutureTask<>(body);
        Thread thread = new Thread(task, "rank");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    @ParameterizedTest
    @CsvSource({"2,REQUEST,ARRAY", "5,REQUEST,MESSAGE", "2,HANDLER,MESSAGE", "5,HANDLER,ARRAY", "3,HANDLER,DIRECT"})
    void everyMessageComesBackWhole(int count, Api api, BufferKind kind) throws Exception {
        try (Ranks ranks = new Ranks(count, api, kind)) {
            for (int size : new int[] {0, 8, 65, 100_000, 8}) {
                for (int k = 1; k < count; k += 2) {
                    assertEquals(3, ranks.run(step(Benchmark.KNEIGHBOR, k, size, true)).length);
                }
                assertEquals(3, ranks.run(step(Benchmark.ONE_TO_ALL, 0, size, true)).length);
            }
            ranks.run(step(Benchmark.KNEIGHBOR, 1, 1000, false));
            long[] part = ranks.run(step(Benchmark.KNEIGHBOR_HUGE, 1, 8, true));
            assertTrue(part.length == 3 && part[0] > 0, () -> part.length + " samples, first " + part[0]);
        }
    }

    @ParameterizedTest
    @CsvSource({"REQUEST", "HANDLER"})
    void aMessageThatArrivesChangedEndsTheStep(Api api) throws Exception {
        try (Ranks ranks = new Ranks(2, api, BufferKind.ARRAY)) {
            Step unchecked = step(Benchmark.KNEIGHBOR, 1, 8, false);
            start(() -> ranks.all.get(0).run(unchecked));
            FutureTask<long[]> other = start(() -> ranks.all.get(1).run(step(Benchmark.KNEIGHBOR, 1, 8, true)));
            ExecutionException failure =
                    assertThrows(ExecutionException.class, () -> other.get(LIMIT_SECONDS, TimeUnit.SECONDS));
            assertTrue(
                    failure.getCause().getMessage().contains("wrong content: message of 8 B from rank 0"),
                    failure.getCause()::toString);
        }
    }

    @Test
    void placesOfARingSayWhoSendsWhat() {
        Partners partners = Partners.of(step(Benchmark.KNEIGHBOR, 2, 8, true), 0, 5);
        assertArrayEquals(new int[] {4, 3, 1, 2}, partners.to);
        assertArrayEquals(new int[] {4, 3, 1, 2}, partners.from);
        assertArrayEquals(new int[] {2, 3, 0, 1}, partners.fromPlace, "what comes from the left was sent to the right");
    }
}
