package org.sluice.bench.cold;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sluice.bench.contestant.Contestant;
import org.sluice.bench.contestant.ContestantFailure;
import org.sluice.bench.contestant.JavaCommand;
import org.sluice.bench.contestant.Peer;
import org.sluice.bench.contestant.SluiceContestants;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.Step;
import org.sluice.bench.plan.VerbsUse;
import org.sluice.bench.report.BenchRecord;
import org.sluice.bench.report.Machine;

/**
 * {@code ./sluice bench cold}: the first messages of jobs that are started anew each time, unpinned, with nothing run
 * before. Between two ranks they are round trips, among more of them exchanges with both neighbours in a ring.
 *
 * <p><i>Thread</i>: one; the JVM's end, for {@link #kill}. <i>Owns</i>: each job, until it is over.
 */
public final class ColdBench {
    public static final String NAME = "cold";

    private static final long START_MS = 30_000;
    private static final long STEP_MS = 60_000;

    private final JavaCommand java;
    private final Machine machine;
    private final Route route;
    private final int ranks;
    private final int starts;
    private final List<String> peers;
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<String> records = new ArrayList<>();
    private volatile Contestant running;
    private volatile boolean ending;

    public ColdBench(
            JavaCommand java, Machine machine, Jobs jobs, List<String> peers, PrintWriter out, PrintWriter err) {
        this.java = java;
        this.machine = machine;
        this.route = jobs.route;
        this.ranks = jobs.ranks;
        this.starts = jobs.starts;
        this.peers = peers;
        this.out = out;
        this.err = err;
    }

    /**
     * What is started.
     *
     * @param starts of each contestant at each size
     */
    public record Jobs(Route route, int ranks, int starts) {}

    /**
     * Prints a table for each size, and of contestants that can't run why.
     *
     * @return whether none failed
     */
    public boolean run() {
        Thread hook = new Thread(this::kill, "bench-end");
        Runtime.getRuntime().addShutdownHook(hook);
        Set<String> failures = new LinkedHashSet<>();
        boolean good = true;
        for (ColdSpan span : ColdSpan.values()) {
            Set<String> refused = new LinkedHashSet<>();
            List<ColdStart> all = new ArrayList<>();
            for (int number = 1; number <= starts && !ending; number++) {
                run(span, number, all, refused, failures);
            }
            good &= !ending;
            if (!all.isEmpty()) {
                out.println();
                out.print(ColdTable.of(span, isRing() ? "exchanges in the ring" : "round trips", all));
                out.flush();
            }
            refused.forEach(err::println);
        }
        failures.forEach(err::println);
        err.flush();
        if (!ending) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        return good && failures.isEmpty();
    }

    /** Each contestant in turn, one start of each. */
    private void run(ColdSpan span, int number, List<ColdStart> all, Set<String> refused, Set<String> failures) {
        BenchPlan plan = plan(span);
        start(SluiceContestants.of(plan, java, Cores.parse("")), plan, span, number, all, failures);
        for (String name : peers) {
            Contestant contestant;
            try {
                contestant = Peer.of(name)
                        .contestant(
                                plan,
                                java,
                                Cores.parse(""),
                                Runtime.getRuntime().availableProcessors());
            } catch (ContestantFailure e) {
                refused.add(e.getMessage());
                continue;
            }
            start(contestant, plan, span, number, all, failures);
        }
    }

    private void start(
            Contestant contestant,
            BenchPlan plan,
            ColdSpan span,
            int number,
            List<ColdStart> all,
            Set<String> failures) {
        running = contestant;
        try (contestant) {
            if (ending || contestant.timing() != Contestant.Timing.BATCHES) {
                return;
            }
            contestant.start(START_MS);
            Step step = plan.step(span.bytes, span.batches, span.batch, 0);
            ColdStart start = new ColdStart(contestant.peer(), span, number, contestant.run(step, STEP_MS));
            all.add(start);
            records.add(record(plan, start));
        } catch (ContestantFailure e) {
            if (!ending) {
                failures.add(e.getMessage());
            }
        }
    }

    private boolean isRing() {
        return ranks > 2;
    }

    private BenchPlan plan(ColdSpan span) {
        return new BenchPlan(
                isRing() ? Benchmark.NEIGHBOR : Benchmark.LATENCY,
                route,
                isRing() ? Api.REQUEST : Api.BLOCKING,
                BufferKind.ARRAY,
                ranks,
                List.of(span.bytes),
                span.iterations(),
                0,
                false,
                peers,
                false,
                false,
                0,
                1,
                1,
                VerbsUse.CHOSEN);
    }

    private void kill() {
        ending = true;
        Contestant last = running;
        if (last != null) {
            last.kill();
        }
    }

    /** One JSON object for each start. */
    public List<String> json() {
        return List.copyOf(records);
    }

    private String record(BenchPlan plan, ColdStart start) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("benchmark", NAME);
        fields.put("peer", start.peer());
        fields.put("channel", route.label());
        fields.put("api", plan.api().label());
        fields.put("buffer", plan.buffer().label());
        fields.put("ranks", ranks);
        fields.put("size", start.span().bytes);
        fields.put("unit", "ns");
        fields.put("mean", start.allNs() / start.span().iterations());
        fields.put("count", start.span().iterations());
        fields.put("firstMean", start.firstNs() / start.span().batch);
        fields.put("firstCount", start.span().batch);
        fields.put("jdk", machine.jdk());
        fields.put("kernel", machine.kernel());
        fields.put("cpu", machine.cpu());
        fields.put("cores", machine.cores());
        fields.put("pinned", false);
        fields.put("round", start.number());
        return BenchRecord.object(fields);
    }
}
