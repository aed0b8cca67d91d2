package org.sluice.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.VerbsUse;

/** What becomes of contestants that don't behave. */
final class ContestantTest {

    /** A shell command in the place of a rank. */
    private static Contestant shell(String script) {
        return new RankContestant(
                "stranger",
                1,
                new Starter() {
                    @Override
                    public List<Running> start(Map<String, String> environment) throws IOException {
                        return List.of(ChildProcess.start(List.of("/bin/sh", "-c", script), environment, null));
                    }

                    @Override
                    public void close() {
                        // It shares nothing.
                    }
                },
                Cores.parse(""));
    }

    private static String failure(String script, long timeoutMs) {
        try (Contestant contestant = shell(script)) {
            return assertThrows(ContestantFailure.class, () -> contestant.start(timeoutMs))
                    .getMessage();
        }
    }

    @Test
    void oneThatDiesIsReportedByNameWithItsLastWords() {
        String message = failure("echo what a pity; exit 3", 10_000);
        assertTrue(
                message.contains("stranger did not start")
                        && message.contains("exit status 3")
                        && message.contains("what a pity"),
                message);
    }

    @Test
    void oneThatNeverConnectsIsEndedAfterItsTime() {
        long start = System.nanoTime();
        String message = failure("sleep 100", 300);
        assertTrue(message.contains("0 of 1 ranks connected within 300 ms"), message);
        assertTrue(System.nanoTime() - start < 20_000_000_000L, "closing must not wait for the sleeper");
        assertEquals(
                0,
                ProcessHandle.current()
                        .descendants()
                        .filter(ProcessHandle::isAlive)
                        .filter(process ->
                                process.info().commandLine().orElse("").contains("sleep 100"))
                        .count());
    }

    /**
     * The one memcpy of {@code limit} has the core on which Sluice's receiver copies; all else races rank against rank.
     */
    @Test
    void onlyTheFloorOfBandwidthHasTheCoresInTurn() {
        Cores pinned = Cores.parse("3,5");
        for (Benchmark benchmark : Benchmark.values()) {
            for (Peer peer : Peer.values()) {
                boolean turned = peer == Peer.LIMIT && benchmark == Benchmark.BANDWIDTH;
                assertEquals(
                        turned ? "5,3" : "3,5", peer.cores(benchmark, pinned).toString(), peer + " in " + benchmark);
            }
        }
    }

    /** A record of the others would say "threads" of what are processes. */
    @Test
    void threadsAreRacedBesideThreads() {
        assertEquals(List.of(Peer.LIMIT, Peer.MPJ_EXPRESS, Peer.SERIALIZATION), others(Route.THREADS));
        assertEquals(
                List.of(
                        Peer.LIMIT,
                        Peer.BARE,
                        Peer.OPENMPI,
                        Peer.OPENMPI_UCX,
                        Peer.MPICH,
                        Peer.MPJ_EXPRESS_NIODEV,
                        Peer.MPJ_EXPRESS_SLUICE,
                        Peer.SERIALIZATION,
                        Peer.JUCX,
                        Peer.AERON),
                others(Route.SHM));
        assertEquals(
                List.of(
                        Peer.OPENMPI_TCP,
                        Peer.MPICH_TCP,
                        Peer.SOCKETS,
                        Peer.IPERF3,
                        Peer.MPJ_EXPRESS_NIODEV,
                        Peer.AERON_UDP),
                others(Route.TCP));
        BenchPlan plan = new BenchPlan(
                Benchmark.LATENCY,
                Route.THREADS,
                Api.BLOCKING,
                BufferKind.ARRAY,
                2,
                List.of(8),
                0,
                0,
                true,
                List.of("aeron"),
                false,
                false,
                0,
                1,
                1,
                VerbsUse.CHOSEN);
        ContestantFailure refused = assertThrows(
                ContestantFailure.class, () -> Peer.AERON.contestant(plan, JavaCommand.of(null), Cores.parse(""), 2));
        assertEquals("aeron sits out: it runs between processes: name --channel shm", refused.getMessage());
    }

    private static List<Peer> others(Route route) {
        return Peer.known().stream()
                .filter(peer -> !peer.isSluice() && peer.runsOver(route))
                .toList();
    }

    @Test
    void sluiceItselfIsRacedWhereItIsNamed() {
        for (Route route : Route.values()) {
            List<Peer> expected = new ArrayList<>(List.of(
                    Peer.BLOCKING,
                    Peer.BLOCKING_THREAD,
                    Peer.COMMUNICATOR,
                    Peer.ROUTE,
                    Peer.REQUEST,
                    Peer.COROUTINE,
                    Peer.HANDLER,
                    Peer.MPIJAVA,
                    Peer.ARRAY,
                    Peer.DIRECT,
                    Peer.MESSAGE,
                    Peer.ONE,
                    Peer.PACKED));
            if (route == Route.THREADS) {
                expected.add(Peer.PROCESSES);
            } else if (route != Route.TCP) {
                expected.addAll(
                        route == Route.IB
                                ? List.of(
                                        Peer.NO_UNSAFE,
                                        Peer.OVER_TCP,
                                        Peer.SEPARATE,
                                        Peer.RENDEZVOUS_READ,
                                        Peer.RENDEZVOUS_WRITE,
                                        Peer.RENDEZVOUS_STREAM,
                                        Peer.NO_CACHE,
                                        Peer.NO_POOL)
                                : route == Route.SHM
                                        ? List.of(Peer.SHM_ONLY, Peer.COPIED_TWICE, Peer.COPIED_ONCE, Peer.NO_UNSAFE)
                                        : List.of(Peer.SHM_ONLY, Peer.NO_UNSAFE));
            }
            assertEquals(
                    expected,
                    Peer.known().stream()
                            .filter(peer -> peer.isSluice() && peer.runsOver(route))
                            .toList());
            assertTrue(
                    Peer.known().stream().noneMatch(peer -> peer.isSluice() && peer.isAmongAll(route, 1)),
                    "by --peers all");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "coroutine | LATENCY | COROUTINE | THREADS | it is what is measured",
                "blocking | NEIGHBOR | REQUEST | SHM | it may end in a deadlock in neighbor, where everybody sends at"
                        + " once",
                "blocking-thread | NEIGHBOR | REQUEST | SHM | it may end in a deadlock in neighbor, where everybody"
                        + " sends at once",
                "handler | BIBANDWIDTH | REQUEST | SHM | it has no bibandwidth",
                "handler | CROWD_EXACT | BLOCKING | SHM | it has no crowd-exact, where Sluice is raced with itself",
                "shm-only | OVERLAP | REQUEST | THREADS | it runs between processes: name --channel shm",
                "limit | OVERLAP | REQUEST | SHM | it has no overlap, where Sluice is measured by itself",
                "aeron | OVERLAP_ALLREDUCE | REQUEST | SHM | it has no overlap-allreduce, where Sluice is measured by"
                        + " itself",
                "mpijava | NEIGHBOR | REQUEST | SHM | it may end in a deadlock in neighbor, where everybody sends at"
                        + " once",
                "mpijava | LATENCY | BLOCKING | ALL | it has no third rank that is idle: name --channel shm",
                "serialization | LATENCY | BLOCKING | SHM | it has no latency",
                "limit | OBJECTS | MPIJAVA | SHM | it has no objects",
                "limit | LATENCY | BLOCKING | ALL | it has no third rank; beside --channel all those can be raced that"
                        + " are Sluice itself",
                "shm-only | LATENCY | BLOCKING | THREADS | it runs between processes: name --channel shm",
                "processes | LATENCY | BLOCKING | SHM | it is raced with threads alone: name --channel threads",
                "shm-only | LATENCY | BLOCKING | IB | it is not raced over verbs; those that are: blocking,"
                        + " blocking-thread, communicator, route, request, coroutine, handler, mpijava, array, direct,"
                        + " message, one, packed, no-unsafe, perftest, perftest-write,"
                        + " libfabric, over-tcp, separate, rendezvous-read, rendezvous-write, rendezvous-stream,"
                        + " no-cache, no-pool"
            })
    void sluiceItselfSitsOutWhereNothingWouldBeCompared(
            String name, Benchmark benchmark, Api api, Route route, String reason) {
        BenchPlan plan = new BenchPlan(
                benchmark,
                route,
                api,
                BufferKind.ARRAY,
                2,
                List.of(8),
                0,
                0,
                true,
                List.of(name),
                false,
                false,
                0,
                1,
                1,
                VerbsUse.CHOSEN);
        ContestantFailure refused = assertThrows(
                ContestantFailure.class,
                () -> Peer.of(name).contestant(plan, JavaCommand.of(null), Cores.parse(""), 2));
        assertEquals(name + " sits out: " + reason, refused.getMessage());
    }

    @Test
    void coroutinesHaveAThreadOfTheDeviceUnlessTheUserSaysHowMany() {
        assertEquals(
                Map.of("SLUICE_PROGRESS_THREADS", "1"),
                SluiceContestants.needs(Benchmark.LATENCY, Api.COROUTINE, Map.of()));
        assertEquals(
                Map.of(),
                SluiceContestants.needs(Benchmark.LATENCY, Api.COROUTINE, Map.of("SLUICE_PROGRESS_THREADS", "2")));
        assertEquals(Map.of(), SluiceContestants.needs(Benchmark.LATENCY, Api.HANDLER, Map.of()));
        assertEquals(
                Map.of("SLUICE_PROGRESS_THREADS", "1"),
                SluiceContestants.needs(Benchmark.OVERLAP, Api.REQUEST, Map.of()));
        assertEquals(
                Map.of("SLUICE_PROGRESS_THREADS", "1"),
                SluiceContestants.needs(Benchmark.OVERLAP_ALLREDUCE, Api.REQUEST, Map.of()));
    }

    @Test
    void blockingCallsHaveAThreadOfTheDeviceWhereThatIsAskedFor() {
        assertEquals(Map.of(), SluiceContestants.needs(Benchmark.LATENCY, Api.BLOCKING, Map.of()));
        assertEquals(Map.of("SLUICE_PROGRESS_THREADS", "1"), SluiceContestants.progressThread(Map.of()));
        assertEquals(Map.of(), SluiceContestants.progressThread(Map.of("SLUICE_PROGRESS_THREADS", "2")));
    }

    @Test
    void onlyTheLastLinesAreKept() {
        LastLines lines = new LastLines();
        for (int i = 0; i < 100; i++) {
            lines.add("line " + i);
        }
        assertTrue(lines.toString().contains("line 99") && !lines.toString().contains("line 80"), lines.toString());
    }
}
