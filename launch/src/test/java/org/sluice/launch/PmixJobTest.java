package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;
import org.sluice.jni.pmix.PmixCalls;

/** Jobs of a simulated launcher: who is which rank, what is exchanged, and what is said when something fails. */
@Timeout(60)
@Tag("once")
final class PmixJobTest {
    private static final String VERSION = "1.0";
    private static final long PATIENCE_MS = 20_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private static Options options(int jvmRanks, long timeoutMs) {
        return Options.of(
                Map.of(
                        "sluice.job.jvm.ranks",
                        Integer.toString(jvmRanks),
                        "sluice.open.timeout.ms",
                        Long.toString(timeoutMs)),
                Map.of(),
                Map.of());
    }

    /** All at once, as ranks do; the results in the order of the tasks. */
    private <T> List<Future<T>> start(List<Callable<T>> tasks) {
        List<Future<T>> started = new ArrayList<>();
        for (Callable<T> task : tasks) {
            started.add(threads.submit(task));
        }
        return started;
    }

    private static <T> T result(Future<T> future) throws Exception {
        try {
            return future.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    private static String failure(Future<?> future) {
        return assertThrows(SluiceException.class, () -> result(future)).getMessage();
    }

    /**
     * Each rank puts its number twice, and gets all others'.
     *
     * @return the ids of the rounds
     */
    private static List<String> exchange(PmixJob pmix, Options options, int rank, int size, int rounds) {
        List<String> ids = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            Job job = Job.ofPmix(pmix, options, rank);
            assertEquals(rank, job.rank());
            assertEquals(size, job.size());
            Bootstrap bootstrap = job.bootstrap();
            bootstrap.put("first", new byte[] {(byte) rank, (byte) round});
            bootstrap.fence(PATIENCE_MS);
            for (int other = 0; other < size; other++) {
                assertArrayEquals(new byte[] {(byte) other, (byte) round}, bootstrap.get(other, "first"));
                assertNull(bootstrap.get(other, "second"));
            }
            byte[] large = new byte[100_000 + rank];
            Arrays.fill(large, (byte) (rank + round));
            bootstrap.put("second", large);
            bootstrap.fence(PATIENCE_MS);
            bootstrap.fence(PATIENCE_MS);
            int next = (rank + 1) % size;
            byte[] found = bootstrap.get(next, "second");
            assertEquals(100_000 + next, found.length);
            assertEquals((byte) (next + round), found[found.length - 1]);
            ids.add(job.id());
            bootstrap.close();
            bootstrap.close();
        }
        return ids;
    }

    @Test
    void threadsOfJvmsAreRanksOfTheJobInTheOrderOfTheProcesses() throws Exception {
        int[] jvmRanks = {2, 1, 3};
        SimulatedPmix launcher = new SimulatedPmix(jvmRanks.length);
        List<Callable<List<String>>> ranks = new ArrayList<>();
        int rank = 0;
        for (int process = 0; process < jvmRanks.length; process++) {
            PmixJob pmix = new PmixJob(launcher.client(process), VERSION);
            for (int thread = 0; thread < jvmRanks[process]; thread++) {
                int own = rank++;
                Options options = options(jvmRanks[process], PATIENCE_MS);
                ranks.add(() -> exchange(pmix, options, own, 6, 3));
            }
        }
        Set<String> rounds = new TreeSet<>();
        for (Future<List<String>> ids : start(ranks)) {
            List<String> own = result(ids);
            assertEquals(3, Set.copyOf(own).size());
            rounds.addAll(own);
        }
        assertEquals(3, rounds.size(), "all ranks know each round by one id");
        assertTrue(rounds.stream().allMatch(id -> id.matches("[0-9a-f]{32}")), rounds.toString());
    }

    /** Of two that wait for values of one process libpmix 5.0.7 may forget one. */
    @Test
    void ranksOfOneJvmAskTheLauncherOneAfterTheOther() throws Exception {
        SimulatedPmix launcher = new SimulatedPmix(1);
        launcher.client(0).answerAfter(20);
        PmixJob pmix = new PmixJob(launcher.client(0), VERSION);
        Options options = options(2, PATIENCE_MS);
        List<Callable<List<String>>> ranks =
                List.of(() -> exchange(pmix, options, 0, 2, 2), () -> exchange(pmix, options, 1, 2, 2));
        for (Future<List<String>> ids : start(ranks)) {
            assertEquals(2, result(ids).size());
        }
    }

    @Test
    void aSecondDeviceOfARankAndAnotherNumberOfRanksAreRefused() {
        PmixJob pmix = new PmixJob(new SimulatedPmix(1).client(0), VERSION);
        Job first = Job.ofPmix(pmix, options(1, PATIENCE_MS), 0);
        assertTrue(assertThrows(SluiceException.class, () -> Job.ofPmix(pmix, options(1, PATIENCE_MS), 0))
                .getMessage()
                .contains("rank 0 has a device open"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Job.ofPmix(pmix, options(2, PATIENCE_MS), 0))
                .getMessage()
                .contains("was 1"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Job.ofPmix(pmix, options(1, PATIENCE_MS), 1))
                .getMessage()
                .contains("rank 1 does not live"));
        first.bootstrap().close();
        assertThrows(IllegalStateException.class, () -> first.bootstrap().fence(1));
        assertNotEquals(first.id(), Job.ofPmix(pmix, options(1, PATIENCE_MS), 0).id());
    }

    @Test
    void mixedVersionsAreRefusedByBothWithBoth() throws Exception {
        SimulatedPmix launcher = new SimulatedPmix(2);
        List<Future<Job>> jobs = start(List.of(
                () -> Job.ofPmix(new PmixJob(launcher.client(0), "1.0"), options(1, PATIENCE_MS), 0),
                () -> Job.ofPmix(new PmixJob(launcher.client(1), "2.0"), options(1, PATIENCE_MS), 1)));
        assertTrue(failure(jobs.get(0)).startsWith("rank 1 has Sluice 2.0, rank 0 has 1.0: use one version"));
        assertTrue(failure(jobs.get(1)).startsWith("rank 0 has Sluice 1.0, rank 1 has 2.0: use one version"));
    }

    @Test
    void aProcessThatNeverComesIsNamedByItsRank() throws Exception {
        SimulatedPmix launcher = new SimulatedPmix(3);
        List<Callable<Job>> two = List.of(
                () -> Job.ofPmix(new PmixJob(launcher.client(0), VERSION), options(1, 300), 0),
                () -> Job.ofPmix(new PmixJob(launcher.client(2), VERSION), options(1, 300), 2));
        for (Future<Job> job : start(two)) {
            assertEquals("rank 1 did not open a device within 300 ms (sluice.open.timeout.ms)", failure(job));
        }
    }

    @Test
    void aThreadThatNeverComesIsNamedAndFailsTheOthersToo() throws Exception {
        SimulatedPmix launcher = new SimulatedPmix(2);
        PmixJob three = new PmixJob(launcher.client(0), VERSION);
        PmixJob one = new PmixJob(launcher.client(1), VERSION);
        List<Future<String>> failures =
                start(List.of(() -> fenceOf(three, 3, 0), () -> fenceOf(three, 3, 2), () -> fenceOf(one, 1, 3)));
        assertEquals("rank 1 did not open a device within 500 ms (sluice.open.timeout.ms)", failure(failures.get(0)));
        assertEquals("rank 1 did not open a device within 500 ms (sluice.open.timeout.ms)", failure(failures.get(1)));
        assertEquals(
                "ranks 0 to 2 did not open a device within 500 ms (sluice.open.timeout.ms)", failure(failures.get(2)));
        assertTrue(
                assertThrows(SluiceException.class, () -> Job.ofPmix(three, options(3, 500), 1))
                        .getMessage()
                        .startsWith("rank 1 did not open"),
                "what failed once fails");
    }

    private static String fenceOf(PmixJob pmix, int jvmRanks, int rank) {
        Bootstrap bootstrap = Job.ofPmix(pmix, options(jvmRanks, 500), rank).bootstrap();
        bootstrap.fence(500);
        return "came through";
    }

    @Test
    void aLauncherThatHangsIsNotWaitedForLongerThanAskedFor() {
        SimulatedPmix.Client client = new SimulatedPmix(1).client(0);
        client.hang();
        SluiceException late =
                assertThrows(SluiceException.class, () -> Job.ofPmix(new PmixJob(client, VERSION), options(1, 200), 0));
        assertEquals(ErrorCode.TIMEOUT, late.code());
        assertEquals("the job's launcher does not answer PMIx_Init within 200 ms; is it stopped?", late.getMessage());
    }

    @Test
    void everyCallThatFailsEndsTheOpeningWithTheStatusInWords() {
        int calls = new SimulatedPmix(1).client(0).calls();
        for (int nth = 1; nth == 1 || nth <= calls; nth++) {
            SimulatedPmix.Client client = new SimulatedPmix(1).client(0);
            client.fail(nth, -31);
            PmixJob pmix = new PmixJob(client, VERSION);
            SluiceException failed = assertThrows(
                    SluiceException.class, () -> exchange(pmix, options(1, PATIENCE_MS), 0, 1, 1), "call " + nth);
            assertEquals(ErrorCode.OPEN_FAILED, failed.code());
            assertTrue(failed.getMessage().contains("NAME-OF-31, status -31"), failed.getMessage());
            calls = nth == 1 ? countCalls() : calls;
        }
        assertTrue(calls > 10, "only " + calls + " calls");
    }

    private static int countCalls() {
        SimulatedPmix.Client client = new SimulatedPmix(1).client(0);
        exchange(new PmixJob(client, VERSION), options(1, PATIENCE_MS), 0, 1, 1);
        return client.calls();
    }

    @Test
    void aDeathThatTheLauncherReportsReachesEveryListenerOnce() throws Exception {
        SimulatedPmix launcher = new SimulatedPmix(2);
        PmixJob here = new PmixJob(launcher.client(0), VERSION);
        PmixJob there = new PmixJob(launcher.client(1), VERSION);
        List<Future<Job>> jobs = start(List.of(
                () -> Job.ofPmix(here, options(1, PATIENCE_MS), 0),
                () -> Job.ofPmix(there, options(2, PATIENCE_MS), 1),
                () -> Job.ofPmix(there, options(2, PATIENCE_MS), 2)));
        Bootstrap bootstrap = result(jobs.get(0)).bootstrap();
        Map<Integer, Integer> lost = new HashMap<>();
        CountDownLatch both = new CountDownLatch(2);
        bootstrap.onRankLost(rank -> {
            synchronized (lost) {
                lost.merge(rank, 1, Integer::sum);
            }
            both.countDown();
            throw new IllegalStateException("a listener that fails");
        });
        launcher.client(0).event(PmixCalls.NOT_FOUND, 1);
        launcher.client(0).event(PmixCalls.PROC_ABORTED_BY_SIG, PmixCalls.NO_RANK);
        launcher.client(0).event(PmixCalls.PROC_ABORTED_BY_SIG, 1);
        launcher.client(0).event(PmixCalls.PROC_TERM_WO_SYNC, 1);
        assertTrue(both.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        List<Integer> later = new ArrayList<>();
        bootstrap.onRankLost(later::add);
        assertEquals(List.of(1, 2), later, "also those lost before");
        synchronized (lost) {
            assertEquals(Map.of(1, 1, 2, 1), lost);
        }
    }

    @Test
    void aDeathEndsAnOpeningThatWaitsForTheDead() throws Exception {
        SimulatedPmix launcher = new SimulatedPmix(2);
        Future<Job> waiting =
                threads.submit(() -> Job.ofPmix(new PmixJob(launcher.client(0), VERSION), options(1, PATIENCE_MS), 0));
        while (launcher.client(0).calls() < 4) {
            Thread.sleep(1);
        }
        launcher.client(0).event(PmixCalls.PROC_ABORTED, 1);
        assertEquals("rank 1 died while this one opened a device", failure(waiting));
    }

    /** It may come before its news finds anybody who waits. */
    @Test
    void aDeathBeforeAnExchangeEndsIt() {
        PmixExchange exchange = new PmixExchange(new SimulatedPmix(2).client(0));
        exchange.init(PATIENCE_MS);
        SluiceException death = new SluiceException(ErrorCode.OPEN_FAILED, "rank 1 died");
        exchange.lose(death);
        assertSame(
                death,
                assertThrows(
                        SluiceException.class,
                        () -> exchange.exchange(new byte[1], 100, processes -> "nobody", "is late")));
    }

    @Test
    void whoWaitsForOthersSaysSoOnceAndGoesOnWhenTheyCome() throws Exception {
        SimulatedPmix launcher = new SimulatedPmix(4);
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        List<Future<Integer>> waiting = new ArrayList<>();
        for (int process : new int[] {0, 2, 1, 3}) {
            waiting.add(threads.submit(() -> {
                PmixExchange exchange = new PmixExchange(launcher.client(process), 1, lines::add);
                exchange.init(PATIENCE_MS);
                exchange.exchange(new byte[1], PATIENCE_MS, processes -> "process " + processes, "is late");
                return exchange.exchanged();
            }));
            if (process == 0) {
                assertEquals(
                        "process [0] waits in Device.open: another rank is late so far; it gives up after 20000 ms"
                                + " (sluice.open.timeout.ms)",
                        lines.poll(PATIENCE_MS, TimeUnit.MILLISECONDS));
            }
        }
        for (Future<Integer> each : waiting) {
            assertEquals(1, result(each));
        }
        assertTrue(lines.stream().allMatch(line -> line.startsWith("process [1] waits")), lines.toString());
    }

    /** Its section is with those of the other ranks, who would go on without it. */
    @Test
    void aRankThatIsInterruptedEndsTheOpeningOfTheOthers() throws Exception {
        PmixJob pmix = new PmixJob(new SimulatedPmix(1).client(0), VERSION);
        Bootstrap first = Job.ofPmix(pmix, options(2, PATIENCE_MS), 0).bootstrap();
        Bootstrap second = Job.ofPmix(pmix, options(2, PATIENCE_MS), 1).bootstrap();
        Future<String> interrupted = threads.submit(() -> {
            Thread.currentThread().interrupt();
            return assertThrows(SluiceException.class, () -> first.fence(PATIENCE_MS))
                    .getMessage();
        });
        assertTrue(result(interrupted).contains("interrupted while waiting for the other ranks"));
        assertTrue(assertThrows(SluiceException.class, () -> second.fence(PATIENCE_MS))
                .getMessage()
                .contains("interrupted"));
    }

    @Test
    void anAbortGoesToTheLauncherWithItsReason() {
        SimulatedPmix.Client client = new SimulatedPmix(1).client(0);
        PmixJob pmix = new PmixJob(client, VERSION);
        Job.ofPmix(pmix, options(1, PATIENCE_MS), 0);
        pmix.abort(3, pmix.ranks() + " aborted the job: no input");
        assertEquals("3 rank 0 aborted the job: no input", client.aborted());
    }

    /**
     * As a device opens: facts of all after the first fence, what its channel needs of all after the second, and a
     * third.
     */
    private static Void open(PmixJob pmix, int rank, int size) {
        Bootstrap bootstrap = Job.ofPmix(pmix, options(1, PATIENCE_MS), rank).bootstrap();
        bootstrap.put("facts", new byte[500]);
        bootstrap.put(Bootstrap.LEFT_OVER, new byte[100]);
        bootstrap.fence(PATIENCE_MS);
        for (int other = 0; other < size; other++) {
            assertEquals(500, bootstrap.get(other, "facts").length);
            assertNull(bootstrap.get(other, Bootstrap.LEFT_OVER), "no launcher but Sluice's removes anything");
        }
        bootstrap.put("channel", new byte[50]);
        bootstrap.fence(PATIENCE_MS);
        for (int other = 0; other < size; other++) {
            assertEquals(50, bootstrap.get(other, "channel").length);
        }
        bootstrap.fence(PATIENCE_MS);
        return null;
    }

    /**
     * One fetches what all others have put, of the server of its own node: three calls for each, beside a number that
     * doesn't grow.
     */
    @Test
    void theCallsAndBytesOfAProcessGrowNoMoreThanNLogN() throws Exception {
        long calls = 0;
        long bytes = 0;
        for (int size : new int[] {16, 32, 64}) {
            SimulatedPmix launcher = new SimulatedPmix(size);
            List<Callable<Void>> ranks = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                PmixJob pmix = new PmixJob(launcher.client(rank), VERSION);
                int self = rank;
                ranks.add(() -> open(pmix, self, size));
            }
            for (Future<Void> rank : start(ranks)) {
                result(rank);
            }
            SimulatedPmix.Client last = launcher.client(size - 1);
            System.out.println(
                    "PMIx, " + size + " processes: " + last.calls() + " calls and " + last.bytes() + " bytes of each");
            // PMIx_Init, and four times put, commit and fence: of what each is, and of three exchanges.
            assertEquals(13 + 3 * size, last.calls());
            double allowed = 2 * Math.log(size) / Math.log(size / 2.0);
            assertTrue(
                    calls == 0 || last.calls() <= calls * allowed && last.bytes() <= bytes * allowed,
                    last.calls() + " calls after " + calls + ", " + last.bytes() + " bytes after " + bytes);
            calls = last.calls();
            bytes = last.bytes();
        }
    }
}
