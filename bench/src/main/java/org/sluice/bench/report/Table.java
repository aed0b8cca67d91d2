package org.sluice.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.Sizes;

/** The results as text: a line for each size; Sluice with its percentiles, then each peer with the ratio to it. */
public final class Table {
    private static final String NOTHING = "-";
    private static final double NS_PER_US = 1000;
    private static final double MILLION = 1e6;
    private static final double THOUSAND = 1e3;
    private static final double[] PERCENTILES = {90, 99, 99.9};

    private final Results results;
    private final Benchmark benchmark;
    private final FewRounds few;

    public Table(Results results) {
        this.results = results;
        benchmark = results.plan().benchmark();
        few = new FewRounds(results);
    }

    @Override
    public String toString() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(head());
        for (int size : results.plan().sizes()) {
            rows.add(row(size));
        }
        StringBuilder text = new StringBuilder(title()).append('\n').append(aligned(rows));
        if (results.plan().timesRewriting()) {
            text.append("Of these a sender fills its buffer for so long (timed by itself); without is what is left:\n")
                    .append(aligned(withoutFill()));
        }
        if (!peers().isEmpty()) {
            text.append(
                    "All figures of a line are of rounds in one hop state: near or far is how long a cache line takes"
                            + " between the two cores. Ratios are sluice / peer, of medians; in brackets the quartiles"
                            + " of the rounds' ratios and how many rounds.\n");
        }
        if (hasSluice()) {
            text.append(few.footnotes());
        }
        return text.toString();
    }

    private String title() {
        BenchPlan plan = results.plan();
        return String.format(
                Locale.ROOT,
                "%s, %s, %s%n%s, %s, %d ranks %s%s%s%s, %d round%s%s",
                plan.benchmark().label(),
                benchmark.meaning(),
                unit(),
                plan.whereabouts(),
                plan.buffer().label() + ", " + plan.api().label(),
                plan.ranks(),
                results.pinned() ? "pinned" : "not pinned",
                benchmark.crowded()
                        ? ", a crowd of " + plan.crowd()
                        : benchmark.isNeighbourly() ? ", k = " + plan.k() : "",
                plan.rewrite() ? ", senders rewrite their buffers" : "",
                plan.verify() ? ", contents checked (times are not to be used)" : "",
                results.rounds(),
                results.rounds() == 1 ? "" : "s",
                results.starts() > 1 ? " in " + results.starts() + " starts" : "");
    }

    private String unit() {
        switch (benchmark) {
            case RATE:
                return isOverVerbs() ? "thousand messages a second" : "million messages a second";
            case BANDWIDTH:
            case BIBANDWIDTH:
                return "MB/s";
            case OVERLAP:
            case OVERLAP_ALLREDUCE:
                return "%";
            default:
                return "us";
        }
    }

    /** Where software stands for an adapter. */
    private boolean isOverVerbs() {
        return results.plan().route() == Route.IB;
    }

    private List<String> peers() {
        return results.peers().stream()
                .filter(peer -> !peer.equals(Results.SLUICE))
                .toList();
    }

    private boolean hasSluice() {
        return results.peers().contains(Results.SLUICE);
    }

    private List<String> head() {
        List<String> cells = new ArrayList<>(List.of("size"));
        if (hasSluice()) {
            cells.addAll(benchmark.lowerIsBetter() ? List.of("p50", "p90", "p99", "p99.9") : List.of("sluice"));
            cells.add("hop");
        }
        for (String peer : peers()) {
            cells.add(peer);
            if (hasSluice()) {
                cells.add("ratio");
            }
        }
        return cells;
    }

    private List<String> row(int size) {
        List<String> cells = new ArrayList<>(List.of(Sizes.format(size)));
        if (hasSluice()) {
            own(cells, size);
        }
        for (String peer : peers()) {
            List<Measurement> rounds = results.comparable(peer, size);
            cells.add(rounds.isEmpty() ? NOTHING : number(median(rounds)));
            if (hasSluice()) {
                cells.add(
                        results.of(peer, size).isEmpty()
                                ? NOTHING
                                : ratio(results.compare(Results.SLUICE, peer, size)));
            }
        }
        return cells;
    }

    private List<List<String>> withoutFill() {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("size"));
        for (String peer : results.peers()) {
            head.addAll(List.of(peer + " fills", "without"));
            if (isCompared(peer)) {
                head.add("ratio");
            }
        }
        rows.add(head);
        for (int size : results.plan().sizes()) {
            rows.add(withoutFill(size));
        }
        return rows;
    }

    private boolean isCompared(String peer) {
        return hasSluice() && !peer.equals(Results.SLUICE);
    }

    private List<String> withoutFill(int size) {
        List<String> cells = new ArrayList<>(List.of(Sizes.format(size)));
        for (String peer : results.peers()) {
            List<Measurement> rounds = results.comparable(peer, size).stream()
                    .filter(Measurement::hasFill)
                    .toList();
            cells.add(rounds.isEmpty() ? NOTHING : number(median(rounds, Measurement::fillNs)));
            cells.add(rounds.isEmpty() ? NOTHING : number(median(rounds, Measurement::withoutFill)));
            if (isCompared(peer)) {
                cells.add(rounds.isEmpty() ? NOTHING : ratio(results.compareWithoutFill(Results.SLUICE, peer, size)));
            }
        }
        return cells;
    }

    private void own(List<String> cells, int size) {
        List<Measurement> rounds = results.comparable(Results.SLUICE, size);
        String mark = few.isAt(Results.SLUICE, size) ? " *" : "";
        int columns = benchmark.lowerIsBetter() ? 1 + PERCENTILES.length : 1;
        if (rounds.isEmpty()) {
            for (int i = 0; i < columns; i++) {
                cells.add(NOTHING);
            }
            cells.add(NOTHING + mark);
            return;
        }
        cells.add(number(median(rounds)));
        if (benchmark.lowerIsBetter()) {
            Histogram all = new Histogram(3);
            rounds.stream().filter(m -> m.tails() != null).forEach(m -> all.add(m.tails()));
            for (double percentile : PERCENTILES) {
                cells.add(
                        all.getTotalCount() == 0
                                ? NOTHING
                                : number(BenchRecord.tail(
                                        median(rounds),
                                        all.getValueAtPercentile(percentile) * BenchRecord.tailShare(benchmark))));
            }
        }
        cells.add(results.state(size).label() + mark);
    }

    private static double median(List<Measurement> rounds) {
        return median(rounds, Measurement::value);
    }

    private static double median(List<Measurement> rounds, ToDoubleFunction<Measurement> figure) {
        return Comparison.median(rounds.stream().mapToDouble(figure).toArray());
    }

    private String ratio(Comparison comparison) {
        if (comparison.rounds() == 0) {
            return NOTHING + " *";
        }
        return String.format(
                Locale.ROOT,
                "%.2f [%.2f %.2f; %d]%s",
                comparison.ratio(),
                comparison.lowQuartile(),
                comparison.highQuartile(),
                comparison.rounds(),
                comparison.rounds() < Comparison.ROUNDS_LEAST ? "*" : " ");
    }

    private String number(double value) {
        double shown = value;
        if (benchmark == Benchmark.RATE) {
            shown = value / (isOverVerbs() ? THOUSAND : MILLION);
        } else if (benchmark.lowerIsBetter()) {
            shown = value / NS_PER_US;
        }
        int digits = shown < 10 ? 3 : shown < 100 ? 2 : shown < 1000 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + digits + "f", shown);
    }

    private static String aligned(List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(i == 0 ? "  " : "   ")
                        .append(" ".repeat(widths[i] - row.get(i).length()))
                        .append(row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
