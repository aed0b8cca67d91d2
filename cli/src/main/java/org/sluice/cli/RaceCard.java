package org.sluice.cli;

import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;
import org.sluice.bench.contestant.Contestant;
import org.sluice.bench.contestant.ContestantFailure;
import org.sluice.bench.contestant.JavaCommand;
import org.sluice.bench.contestant.Peer;
import org.sluice.bench.contestant.SluiceAlgorithms;
import org.sluice.bench.contestant.SluiceContestants;
import org.sluice.bench.contestant.SluiceRequests;
import org.sluice.bench.contestant.SluiceSwitches;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.hop.HopProbe;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.race.FreeMemory;
import org.sluice.bench.race.Progress;
import org.sluice.bench.race.Race;
import org.sluice.bench.report.Machine;
import org.sluice.bench.report.Results;

/**
 * Brings plans and contestants together, one race after the other, and ends whatever runs when this JVM is ended.
 *
 * <p><i>Thread</i>: one, and the JVM's shutdown.
 */
final class RaceCard implements AutoCloseable {
    private final JavaCommand java;
    private final Machine machine;
    private final boolean pin;
    private final int forks;
    private final More more;
    private final PrintWriter err;
    private final Progress progress = new Progress(System.err, Terminal.ERR.isThere());
    private final Cores cores = Cores.allowed();
    private final HopProbe probe = new HopProbe(cores);
    private final List<Contestant> running = new CopyOnWriteArrayList<>();
    private final Thread hook = new Thread(this::endAll, "bench-end");
    private volatile boolean ending;
    private boolean complete;

    /**
     * Who takes part beside Sluice and its peers: Sluice itself.
     *
     * @param algorithms with each algorithm of a collective
     * @param jvms with its ranks in so many JVMs, each
     * @param requests with so many work requests, each
     * @param switches with rendezvous behind so many bytes, each
     */
    record More(boolean algorithms, List<Integer> jvms, List<Integer> requests, List<Integer> switches) {}

    /** @param forks how often all contestants of a plan are started, and raced */
    RaceCard(JavaCommand java, Machine machine, boolean pin, int forks, More more, PrintWriter err) {
        this.java = java;
        this.machine = machine;
        this.pin = pin;
        this.forks = forks;
        this.more = more;
        this.err = err;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    Results run(BenchPlan plan) {
        boolean pinned = pin && plan.nodes() == 1 && cores.count() >= plan.ranks();
        Results results = new Results(plan, machine, pinned);
        Set<String> refused = new LinkedHashSet<>();
        complete = true;
        for (int fork = 0; fork < forks && !ending; fork++) {
            race(plan, pinned ? cores : Cores.parse(""), results, refused);
        }
        refused.forEach(err::println);
        err.flush();
        return results;
    }

    private void race(BenchPlan plan, Cores pinning, Results results, Set<String> refused) {
        FreeMemory.compact();
        Race race = new Race(plan, probe, progress);
        try {
            enter(race, SluiceContestants.of(plan, java, pinning), size -> true);
            if (plan.benchmark().crowded()) {
                enter(race, SluiceContestants.alone(plan, java, pinning), size -> true);
            }
            if (more.algorithms()) {
                enterAlgorithms(race, plan, pinning, refused);
            }
            for (int jvms : more.jvms()) {
                enter(race, SluiceContestants.inJvms(jvms, plan, java, pinning), size -> true);
            }
            for (int requests : more.requests()) {
                for (Contestant each : SluiceRequests.contestants(requests, plan, java, pinning)) {
                    enter(race, each, size -> true);
                }
            }
            for (int bytes : more.switches()) {
                enter(race, SluiceSwitches.contestant(bytes, plan, java, pinning), size -> true);
            }
            for (String name : plan.peers()) {
                Peer peer = Peer.of(name);
                try {
                    enter(
                            race,
                            peer.contestant(
                                    plan, java, pinning, Runtime.getRuntime().availableProcessors()),
                            peer::runs);
                } catch (ContestantFailure e) {
                    refused.add(e.getMessage());
                }
            }
            race.run(results);
        } finally {
            running.forEach(Contestant::close);
            running.clear();
        }
        complete &= race.failures().isEmpty();
    }

    private void enterAlgorithms(Race race, BenchPlan plan, Cores pinning, Set<String> refused) {
        SluiceAlgorithms all = new SluiceAlgorithms(plan);
        for (String name : all.names()) {
            Optional<String> reason = all.refuses(name);
            if (reason.isPresent()) {
                refused.add(reason.get());
            } else {
                enter(race, all.contestant(name, java, pinning), all.runs(name));
            }
        }
    }

    private void endAll() {
        ending = true;
        progress.mute();
        running.parallelStream().forEach(Contestant::kill);
    }

    private void enter(Race race, Contestant contestant, IntPredicate runs) {
        running.add(contestant);
        if (ending) {
            contestant.kill();
        }
        race.enter(contestant, runs);
    }

    /** Whether nobody failed in a race of the last plan; who only sits out is no failure. */
    boolean complete() {
        return complete;
    }

    @Override
    public void close() {
        running.forEach(Contestant::close);
        probe.close();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is on its way out and runs the hook itself.
        }
    }
}
