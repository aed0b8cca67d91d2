package org.sluice.bench.report;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.AbstractHistogram;
import org.sluice.bench.hop.HopState;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;

/** One JSON object a line: fields and order are a contract that others read. */
public final class BenchRecord {
    private static final int HIGHEST_CONTROL = 0x1f;

    private BenchRecord() {}

    public static String json(
            BenchPlan plan, Machine machine, Measurement measurement, HopState state, boolean pinned) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("benchmark", plan.benchmark().label());
        fields.put("peer", measurement.peer());
        fields.put("channel", plan.route().label());
        fields.put("api", plan.api().label());
        fields.put("buffer", plan.buffer().label());
        fields.put("ranks", plan.ranks());
        fields.put("size", measurement.size());
        fields.put("unit", plan.benchmark().unit());
        percentiles(fields, plan.benchmark(), measurement);
        fields.put("mean", rounded(measurement.mean()));
        fields.put("count", measurement.count());
        if (plan.benchmark().isCollective()) {
            fields.put("rankMin", rounded(measurement.rankMin()));
            fields.put("rankMax", rounded(measurement.rankMax()));
        }
        if (measurement.hasProcessor()) {
            fields.put("cpuNs", rounded(measurement.cpuNs()));
        }
        fields.put("jdk", machine.jdk());
        fields.put("kernel", machine.kernel());
        fields.put("cpu", machine.cpu());
        fields.put("cores", machine.cores());
        fields.put("pinned", pinned);
        fields.put("round", measurement.round());
        fields.put("hopBeforeNs", rounded(measurement.hopBefore()));
        fields.put("hopAfterNs", rounded(measurement.hopAfter()));
        fields.put("state", state.label());
        fields.put("rewrite", plan.rewrite());
        if (measurement.hasFill()) {
            fields.put("fillNs", rounded(measurement.fillNs()));
        }
        if (plan.benchmark().isNeighbourly()) {
            fields.put("k", plan.k());
        }
        if (plan.nodes() > 1) {
            fields.put("nodes", plan.nodes());
        }
        if (plan.benchmark().crowded()) {
            fields.put("crowd", measurement.peer().equals(Results.ALONE) ? 0 : plan.crowd());
        }
        if (measurement.peer().equals(Results.SLUICE)) {
            fields.putAll(plan.verbs().given());
        }
        return object(fields);
    }

    private static void percentiles(Map<String, Object> fields, Benchmark benchmark, Measurement measurement) {
        double[] batches = measurement.sorted();
        AbstractHistogram tails = measurement.tails();
        double median = Measurement.at(batches, 0.5);
        fields.put("p50", rounded(median));
        if (tails == null) {
            fields.put("p90", rounded(Measurement.at(batches, 0.9)));
            fields.put("p99", rounded(Measurement.at(batches, 0.99)));
            fields.put("p999", rounded(Measurement.at(batches, 0.999)));
            fields.put("max", rounded(batches[batches.length - 1]));
            return;
        }
        double share = tailShare(benchmark);
        fields.put("p90", rounded(tail(median, tails.getValueAtPercentile(90) * share)));
        fields.put("p99", rounded(tail(median, tails.getValueAtPercentile(99) * share)));
        fields.put("p999", rounded(tail(median, tails.getValueAtPercentile(99.9) * share)));
        fields.put("max", rounded(tail(median, tails.getMaxValue() * share)));
    }

    /**
     * A percentile of single iterations, which none may be below the median over batches: where few iterations take
     * most of the time a batch's mean lies above most of them. It still holds then that so many iterations took no
     * longer.
     */
    static double tail(double median, double percentile) {
        return Math.max(median, percentile);
    }

    /** Of one timed iteration that counts: a latency is half a round trip. */
    static double tailShare(Benchmark benchmark) {
        return benchmark.pingPong() ? 0.5 : 1;
    }

    private static Number rounded(double value) {
        double tenths = Math.round(value * 10) / 10.0;
        if (tenths == Math.rint(tenths)) {
            return (long) tenths;
        }
        return tenths;
    }

    /** Names and values, in the map's order. */
    public static String object(Map<String, Object> fields) {
        StringBuilder json = new StringBuilder("{");
        fields.forEach((name, value) -> {
            json.append(json.length() > 1 ? "," : "").append('"').append(name).append("\":");
            json.append(value instanceof String ? quoted((String) value) : value.toString());
        });
        return json.append('}').toString();
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c <= HIGHEST_CONTROL) {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
