package org.sluice.bench.contestant;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Route;
import org.sluice.bench.report.Results;
import org.sluice.device.option.Option;

/**
 * Sluice itself over verbs with so many send work requests to a peer: with messages that leave together, with each of
 * them in its whole envelope, and with each in a packet of its own. What few requests cost, what leaving together gives
 * back, and what of that is due to envelopes that are left out.
 */
public final class SluiceRequests {
    /** Behind {@code bench}: the rate and the bandwidth with {@link #OF_THE_PAPER}. */
    public static final String BENCHMARK = "coalescing";

    public static final String OF_THE_PAPER = "5,10,20,40,100,200";

    /** Behind the name of who sends whole envelopes. */
    public static final String WHOLE = "-whole";

    /** Behind the name of who sends each message in a packet of its own. */
    public static final String SEPARATE = "-separate";

    private SluiceRequests() {}

    /** What is measured with {@link #BENCHMARK}. */
    public static List<Benchmark> benchmarks() {
        return List.of(Benchmark.RATE, Benchmark.BANDWIDTH);
    }

    /** Fails, for the user to read, where the number means nothing or isn't allowed. */
    public static void check(int requests, Benchmark benchmark, Route route) {
        String given = "--requests " + requests + ": ";
        if (!benchmarks().contains(benchmark)) {
            throw new IllegalArgumentException(
                    given + "means nothing to " + benchmark.label() + ": it is for rate and bandwidth");
        }
        checkVerbs(requests, route);
    }

    /** The same of a number that means something. */
    public static void checkVerbs(int requests, Route route) {
        String given = "--requests " + requests + ": ";
        if (route != Route.IB) {
            throw new IllegalArgumentException(
                    given + "work requests are of verbs: name --channel ib, not " + route.label());
        }
        if (requests < Option.IB_WINDOW.least() || requests > Option.IB_WINDOW.most()) {
            throw new IllegalArgumentException(given + "is out of range; allowed is " + Option.IB_WINDOW.least()
                    + " to " + Option.IB_WINDOW.most());
        }
    }

    /** How Sluice is with so many: the options of each, by the name in records. */
    public static Map<String, Map<String, String>> options(int requests) {
        String label = Results.SLUICE + "-" + requests;
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        all.put(label, options(requests, "on"));
        all.put(label + WHOLE, options(requests, "whole"));
        all.put(label + SEPARATE, options(requests, "off"));
        return all;
    }

    private static Map<String, String> options(int requests, String coalesce) {
        return Map.of(
                Option.IB_WINDOW.environmentVariable(),
                Integer.toString(requests),
                Option.IB_COALESCE.environmentVariable(),
                coalesce);
    }

    /** All three. */
    public static List<Contestant> contestants(int requests, BenchPlan plan, JavaCommand java, Cores pinned) {
        return options(requests).entrySet().stream()
                .map(each -> SluiceContestants.variant(
                        SluiceContestants.Use.of(plan, each.getKey(), each.getValue()), plan, java, pinned))
                .toList();
    }
}
