package org.sluice.bench.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Rewrite;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.launch.JobServer;

/**
 * Calls that suspend and messages that call a handler carry every message of each benchmark whole, between two ranks of
 * this JVM.
 */
@Tag("once")
final class ApiStepsTest {
    private static final int LIMIT_SECONDS = 60;

    /** Both ranks of a job, and what they do. */
    private static final class Pair implements AutoCloseable {
        private final JobServer server = JobServer.start(2);
        private final List<Steps> ends;
        private final List<Device> devices = new ArrayList<>();

        Pair(Api api, BufferKind kind, Map<String, String> options) throws Exception {
            Map<String, String> all = new HashMap<>(server.options(0, 2));
            all.putAll(options);
            FutureTask<Device> other = start(() -> Device.open(1, all));
            devices.add(Device.open(0, all));
            devices.add(other.get(LIMIT_SECONDS, TimeUnit.SECONDS));
            ends = devices.stream()
                    .map(device ->
                            api == Api.HANDLER ? new HandlerSteps(device, kind) : new SuspendedSteps(device, kind))
                    .toList();
        }

        long[] run(Step step) throws Exception {
            FutureTask<long[]> other = start(() -> ends.get(1).run(step));
            FutureTask<long[]> first = start(() -> ends.get(0).run(step));
            assertEquals(0, other.get(LIMIT_SECONDS, TimeUnit.SECONDS).length, "only rank 0 times");
            return first.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }

        /** Closing waits for the peers' closing. */
        @Override
        public void close() throws Exception {
            FutureTask<Void> other = start(() -> {
                ends.get(1).close();
                return null;
            });
            ends.get(0).close();
            other.get(LIMIT_SECONDS, TimeUnit.SECONDS);
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

    private static Step step(Benchmark benchmark, int size, boolean verified) {
        int window = benchmark.windowed() ? 16 : 1;
        return new Step(benchmark, Api.REQUEST, size, 3, 4, 2, verified ? Rewrite.NO : Rewrite.YES, verified, window);
    }

    private static Map<String, String> options(Api api) {
        return api == Api.COROUTINE ? Map.of("sluice.progress.threads", "1") : Map.of();
    }

    @ParameterizedTest
    @EnumSource(BufferKind.class)
    void coroutinesCarryAllSizesOfAllBenchmarks(BufferKind kind) throws Exception {
        carriesAll(Api.COROUTINE, kind);
    }

    @ParameterizedTest
    @EnumSource(BufferKind.class)
    void handlersCarryAllSizesOfTheirBenchmarks(BufferKind kind) throws Exception {
        carriesAll(Api.HANDLER, kind);
    }

    private static void carriesAll(Api api, BufferKind kind) throws Exception {
        try (Pair pair = new Pair(api, kind, options(api))) {
            for (Benchmark benchmark : Benchmark.values()) {
                if (api.refuses(benchmark).isPresent() || benchmark.isAnswered()) {
                    continue;
                }
                for (int size : new int[] {0, 1, 8, 65, 1000, 100_000, 8}) {
                    assertEquals(
                            3, pair.run(step(benchmark, size, true)).length, () -> benchmark + " of " + size + " B");
                }
                pair.run(step(benchmark, 1000, false));
            }
        }
    }

    /** As where a user asks for no thread: the device starts one that sleeps. */
    @Test
    void coroutinesGoOnWithoutAThreadThatSpins() throws Exception {
        try (Pair pair = new Pair(Api.COROUTINE, BufferKind.ARRAY, Map.of())) {
            assertEquals(3, pair.run(step(Benchmark.LATENCY, 8, true)).length);
        }
    }

    /**
     * The other rank must not wait for ever for the answer: that one is ended by hand, as the harness would end its
     * process.
     */
    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COROUTINE", "HANDLER"})
    void aMessageThatArrivesChangedEndsTheStep(Api api) throws Exception {
        try (Pair pair = new Pair(api, BufferKind.ARRAY, options(api))) {
            Step unchecked = new Step(Benchmark.LATENCY, api, 8, 3, 4, 2, Rewrite.NO, false, 1);
            FutureTask<long[]> first = start(() -> pair.ends.get(0).run(unchecked));
            FutureTask<long[]> other = start(() -> pair.ends.get(1).run(step(Benchmark.LATENCY, 8, true)));
            ExecutionException failure =
                    assertThrows(ExecutionException.class, () -> other.get(LIMIT_SECONDS, TimeUnit.SECONDS));
            assertEquals(IllegalStateException.class, failure.getCause().getClass(), failure.getCause()::toString);
            assertTrue(
                    failure.getCause().getMessage().contains("wrong content: message of 8 B from rank 0"),
                    failure.getCause()::toString);
            pair.devices.get(0).close();
            assertThrows(ExecutionException.class, () -> first.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
    }

    /** Threads of the device were started before the rank's was pinned. */
    @Test
    void aThreadThatGoesOnWithACoroutineIsPinnedWhereTheRankIs() throws Exception {
        Cores cores = Cores.allowed();
        Assumptions.assumeTrue(cores.count() > 1, "there is but one core");
        try (Pair pair = new Pair(Api.COROUTINE, BufferKind.ARRAY, options(Api.COROUTINE))) {
            for (int rank = 0; rank < 2; rank++) {
                pair.ends.get(rank).pinned(cores.number(rank));
            }
            pair.run(step(Benchmark.LATENCY, 8, true));
            assertEquals(
                    Set.of(Integer.toString(cores.number(0)), Integer.toString(cores.number(1))),
                    coresOf("sluice-progress"));
        }
    }

    /** @param name the first 15 characters of it */
    private static Set<String> coresOf(String name) throws Exception {
        Set<String> lists = new TreeSet<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                List<String> lines;
                try {
                    lines = Files.readAllLines(task.resolve("status"));
                } catch (NoSuchFileException e) {
                    // A thread of another test that has ended meanwhile.
                    continue;
                }
                if (lines.contains("Name:\t" + name)) {
                    lines.stream()
                            .filter(line -> line.startsWith("Cpus_allowed_list:"))
                            .forEach(line -> lists.add(line.split("\t")[1]));
                }
            }
        }
        return lists;
    }
}
