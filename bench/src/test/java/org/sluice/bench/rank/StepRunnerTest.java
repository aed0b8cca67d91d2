package org.sluice.bench.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Rewrite;
import org.sluice.bench.plan.Step;

/** The floors carry every message whole: checked on both ends, between two threads. */
final class StepRunnerTest {
    private static final int LARGEST = 1 << 20;

    @TempDir
    private Path folder;

    private static Step step(Benchmark benchmark, int size, int window) {
        return new Step(benchmark, Api.BLOCKING, size, 3, 4, 2, Rewrite.NO, true, window);
    }

    private static long[] run(List<? extends Exchange> ends, Step step) throws Exception {
        FutureTask<long[]> other = new FutureTask<>(() -> new StepRunner(ends.get(1), 1, 2).run(step));
        Thread thread = new Thread(other, "rank-1");
        thread.setDaemon(true);
        thread.start();
        long[] samples = new StepRunner(ends.get(0), 0, 2).run(step);
        assertEquals(0, other.get(20, TimeUnit.SECONDS).length, "only rank 0 times");
        return samples;
    }

    private List<MailboxExchange> mailboxes(BufferKind kind) throws Exception {
        Path file = folder.resolve("mailbox");
        Files.write(file, new byte[(int) MailboxExchange.fileBytes(LARGEST)]);
        return List.of(new MailboxExchange(file, LARGEST, kind, 0), new MailboxExchange(file, LARGEST, kind, 1));
    }

    @ParameterizedTest
    @EnumSource(BufferKind.class)
    void aMailboxCarriesAllSizesOneAfterTheOther(BufferKind kind) throws Exception {
        List<MailboxExchange> ends = mailboxes(kind);
        for (int size : new int[] {0, 1, 8, 56, 57, 1000, LARGEST, 8}) {
            assertEquals(3, run(ends, step(Benchmark.LATENCY, size, 1)).length, "batches of " + size + " B");
        }
        run(ends, step(Benchmark.RATE, 8, 64));
        run(ends, step(Benchmark.RATE, 1000, 64));
        run(ends, step(Benchmark.LATENCY, 1000, 1));
    }

    @ParameterizedTest
    @EnumSource(BufferKind.class)
    void queuesCarryAllSizesOneAfterTheOther(BufferKind kind) throws Exception {
        List<SpscExchange> ends = SpscExchange.pair(kind);
        for (int size : new int[] {0, 8, 1000, LARGEST, 8}) {
            run(ends, step(Benchmark.LATENCY, size, 1));
        }
        run(ends, step(Benchmark.RATE, 8, 64));
    }

    @Test
    void aMessageThatArrivesChangedEndsTheStep() throws Exception {
        List<MailboxExchange> ends = mailboxes(BufferKind.ARRAY);
        Step checked = step(Benchmark.LATENCY, 8, 1);
        Step unchecked = new Step(Benchmark.LATENCY, Api.BLOCKING, 8, 3, 4, 2, Rewrite.NO, false, 1);
        FutureTask<long[]> other = new FutureTask<>(() -> new StepRunner(ends.get(1), 1, 2).run(checked));
        Thread thread = new Thread(other, "rank-1");
        thread.setDaemon(true);
        thread.start();
        MailboxExchange sender = ends.get(0);
        sender.prepare(unchecked);
        sender.post(1, 0);
        ExecutionException failure = assertThrows(ExecutionException.class, () -> other.get(20, TimeUnit.SECONDS));
        assertEquals(IllegalStateException.class, failure.getCause().getClass(), failure.getCause()::toString);
    }
}
