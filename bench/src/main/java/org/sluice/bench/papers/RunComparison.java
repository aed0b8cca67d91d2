package org.sluice.bench.papers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.sluice.bench.plan.Sizes;

/**
 * What became slower or faster from one run to another. Something is said only of what has five rounds of one state in
 * both, quartiles that leave a gap, and medians more than a tenth apart, as two starts of one program may differ by so
 * much.
 */
public final class RunComparison {
    private static final double LEAST_CHANGE = 1.1;
    private static final String MIXED = "mixed";
    private static final int MOST_NAMED = 10;
    /** What tells figures apart. */
    private static final List<String> KEYS = List.of(
            "benchmark",
            "channel",
            "peer",
            "api",
            "buffer",
            "ranks",
            "nodes",
            "jvms",
            "size",
            "k",
            "n",
            "threshold",
            "class",
            "scaling",
            "crowd",
            "window",
            "uses",
            "pool",
            "rendezvous",
            "cache",
            "rewrite");
    /** Other programs: if these changed, it is the machine. */
    private static final TreeSet<String> OTHERS = new TreeSet<>(List.of(
            "limit",
            "bare",
            "openmpi",
            "openmpi-ucx",
            "openmpi-tcp",
            "mpich",
            "mpich-tcp",
            "aeron",
            "aeron-udp",
            "jucx",
            "perftest",
            "perftest-write",
            "libfabric",
            "sockets",
            "iperf3",
            "mpj-express",
            "mpj-express-niodev"));

    /** What can be said of a figure. */
    enum Change {
        SLOWER,
        FASTER,
        WITHIN_THE_SPREAD,
        TOO_FEW_ROUNDS
    }

    private final List<Line> lines = new ArrayList<>();
    private final List<String> gone = new ArrayList<>();
    private List<String> machines = List.of();
    private int added;

    private record Line(Change change, String what, String peer, Point before, Point after, double times) {}

    private RunComparison() {}

    /**
     * Each may be a folder of {@code --report} or a file of {@code --json}.
     *
     * @throws IllegalArgumentException if one has no records, or both have no figure in common
     */
    public static RunComparison of(Path before, Path after) throws IOException {
        RunComparison comparison = of(ReportFolder.recordsAt(before), ReportFolder.recordsAt(after));
        if (comparison.lines.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + before + "' and '" + after + "' have no figure in common; name two runs of one benchmark");
        }
        return comparison;
    }

    static RunComparison of(List<RunRecord> before, List<RunRecord> after) {
        RunComparison comparison = new RunComparison();
        Map<List<String>, List<RunRecord>> old = byFigure(before);
        Map<List<String>, List<RunRecord>> now = byFigure(after);
        old.forEach((key, records) -> {
            if (now.containsKey(key)) {
                comparison.lines.add(line(key, records, now.get(key)));
            } else {
                comparison.gone.add(name(records.get(0)));
            }
        });
        List<String> first = machines(before);
        List<String> second = machines(after);
        comparison.machines =
                first.equals(second) ? List.of() : List.of(String.join(" and ", first), String.join(" and ", second));
        comparison.added =
                (int) now.keySet().stream().filter(key -> !old.containsKey(key)).count();
        return comparison;
    }

    private static List<String> machines(List<RunRecord> records) {
        return records.stream().map(RunRecord::machine).distinct().sorted().toList();
    }

    private static Map<List<String>, List<RunRecord>> byFigure(List<RunRecord> records) {
        return records.stream()
                .collect(Collectors.groupingBy(
                        record -> KEYS.stream().map(record::text).toList(), LinkedHashMap::new, Collectors.toList()));
    }

    private static Line line(List<String> key, List<RunRecord> before, List<RunRecord> after) {
        String state = commonState(before, after);
        Point old = point(before, state);
        Point now = point(after, state);
        boolean lowerIsBetter = before.get(0).isBetterIfLower();
        String what = name(before.get(0));
        if (old == null || now == null || !old.hasRoundsEnough() || !now.hasRoundsEnough()) {
            return new Line(Change.TOO_FEW_ROUNDS, what, before.get(0).text("peer"), old, now, 1);
        }
        double slower = lowerIsBetter ? now.median() / old.median() : old.median() / now.median();
        Change change = !now.isApartFrom(old) || Math.max(slower, 1 / slower) < LEAST_CHANGE
                ? Change.WITHIN_THE_SPREAD
                : slower > 1 ? Change.SLOWER : Change.FASTER;
        return new Line(change, what, before.get(0).text("peer"), old, now, Math.max(slower, 1 / slower));
    }

    /** In which both have most rounds. */
    private static String commonState(List<RunRecord> before, List<RunRecord> after) {
        String best = "";
        long most = 0;
        for (String state : before.stream().map(RunRecord::state).distinct().toList()) {
            long common = Math.min(count(before, state), count(after, state));
            if (!state.equals(MIXED) && common > most) {
                best = state;
                most = common;
            }
        }
        return best;
    }

    private static long count(List<RunRecord> records, String state) {
        return records.stream().filter(record -> record.state().equals(state)).count();
    }

    private static Point point(List<RunRecord> records, String state) {
        List<Double> values = records.stream()
                .filter(record -> record.state().equals(state))
                .map(RunRecord::value)
                .filter(Double::isFinite)
                .toList();
        return values.isEmpty() ? null : Point.of(values, state);
    }

    private static String name(RunRecord record) {
        StringBuilder name = new StringBuilder(record.text("benchmark"));
        for (String field : List.of("class", "scaling", "channel", "peer", "api", "buffer")) {
            name.append(record.text(field).isEmpty() ? "" : " " + record.text(field));
        }
        for (String field : List.of("ranks", "nodes", "k", "n", "uses")) {
            name.append(record.text(field).isEmpty() ? "" : ", " + field + " " + record.text(field));
        }
        return name + (record.text("size").isEmpty() ? "" : ", " + Sizes.format((long) record.number("size"))) + ", "
                + record.text("unit");
    }

    /** Whether nothing of Sluice's own became slower. */
    public boolean isGood() {
        return lines.stream().noneMatch(line -> line.change() == Change.SLOWER && !OTHERS.contains(line.peer()));
    }

    long count(Change change) {
        return lines.stream().filter(line -> line.change() == change).count();
    }

    /** What changed, and how many figures didn't. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Change change : List.of(Change.SLOWER, Change.FASTER)) {
            lines.stream()
                    .filter(line -> line.change() == change)
                    .forEach(line -> text.append(String.format(
                            java.util.Locale.ROOT,
                            "%s %.2f times: %s: %s, then %s%n",
                            change.name().toLowerCase(java.util.Locale.ROOT),
                            line.times(),
                            line.what(),
                            line.before(),
                            line.after())));
        }
        text.append(lines.size())
                .append(" figures: ")
                .append(count(Change.SLOWER))
                .append(" slower, ");
        text.append(count(Change.FASTER)).append(" faster, ");
        text.append(count(Change.WITHIN_THE_SPREAD)).append(" within the spread, ");
        text.append(count(Change.TOO_FEW_ROUNDS)).append(" with fewer than five rounds of one state in both\n");
        if (gone.size() + added > 0) {
            text.append(gone.size())
                    .append(" more only in the first, ")
                    .append(added)
                    .append(" only in the second\n");
            gone.stream()
                    .limit(MOST_NAMED)
                    .forEach(each ->
                            text.append("only in the first: ").append(each).append('\n'));
        }
        if (!machines.isEmpty()) {
            text.append("measured on different machines or JDKs: ")
                    .append(String.join("; then ", machines))
                    .append('\n');
        }
        String others = lines.stream()
                .filter(line -> line.change() != Change.WITHIN_THE_SPREAD && line.change() != Change.TOO_FEW_ROUNDS)
                .map(Line::peer)
                .filter(OTHERS::contains)
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            text.append("other programs changed as well (").append(others);
            text.append("), so it may be the machine that did\n");
        }
        return text.toString();
    }
}
