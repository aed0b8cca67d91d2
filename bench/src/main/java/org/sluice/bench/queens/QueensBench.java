package org.sluice.bench.queens;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.sluice.bench.plan.Route;
import org.sluice.bench.report.BenchRecord;
import org.sluice.bench.report.Machine;
import org.sluice.launch.JavaHome;

/**
 * {@code ./sluice bench nqueens}: all ways to place queens, as tasks that travel between ranks; how long that takes
 * with more ranks, and where each rank's time goes.
 */
public final class QueensBench {
    public static final String NAME = "nqueens";
    /** When the user says nothing else. */
    public static final int QUEENS = 14;

    public static final int THRESHOLD = 4;
    public static final int STARTS = 3;
    public static final int TIMES = 3;

    private static final double SECOND = 1e9;
    private static final double MS = 1e6;
    private static final double US = 1e3;
    private static final double PERCENT = 100;

    private final JavaHome java;
    private final Machine machine;
    private final Jobs jobs;
    private final PrintWriter out;
    private final List<String> records = new ArrayList<>();

    /**
     * What is started.
     *
     * @param ranks of the largest job
     * @param starts of each job, in turn
     * @param times that each job solves the problem
     */
    public record Jobs(int ranks, int starts, int times) {
        /** One, and doubled as long as there are so many, and all. */
        List<Integer> counts() {
            List<Integer> counts = new ArrayList<>();
            for (int count = 1; count < ranks; count *= 2) {
                counts.add(count);
            }
            counts.add(ranks);
            return counts;
        }
    }

    public QueensBench(JavaHome java, Machine machine, Jobs jobs, PrintWriter out) {
        this.java = java;
        this.machine = machine;
        this.jobs = jobs;
        this.out = out;
    }

    /**
     * Prints a table.
     *
     * @throws IllegalStateException with the last lines of what failed, or the count that is wrong
     */
    public void run(Route route, QueensProblem problem) throws InterruptedException {
        Map<Integer, List<QueensReading>> byRanks = new TreeMap<>();
        for (int start = 0; start < jobs.starts(); start++) {
            for (int count : jobs.counts()) {
                List<QueensReading> of = byRanks.computeIfAbsent(count, unused -> new ArrayList<>());
                for (QueensReading reading : new QueensJob(java, route, count).readings(problem, jobs.times())) {
                    check(problem, reading);
                    of.add(reading);
                    records.add(record(route, problem, reading, of.size()));
                }
            }
        }
        print(route, problem, byRanks);
    }

    private static void check(QueensProblem problem, QueensReading reading) {
        long found = reading.sum(RankShare::solutions);
        if (found != Board.known(problem.queens())) {
            throw new IllegalStateException(reading.ranks().size() + " ranks found " + found + " ways to place "
                    + problem.queens() + " queens, where there are " + Board.known(problem.queens()));
        }
    }

    private void print(Route route, QueensProblem problem, Map<Integer, List<QueensReading>> byRanks) {
        out.println();
        line(
                "%s, %d queens, %d solutions, the first %d by tasks; %s, %s%s",
                NAME,
                problem.queens(),
                Board.known(problem.queens()),
                problem.threshold(),
                route.meaning(),
                problem.api().label(),
                problem.verify() ? ", tasks checked (times are not to be used)" : "");
        line(
                "%7s %9s %9s %9s %8s %8s %9s %8s %7s %9s",
                "ranks", "seconds", "least", "most", "speedup", "tasks", "grain us", "useful", "idle", "overhead");
        double one = median(byRanks.get(1)).nanos();
        byRanks.forEach((ranks, readings) -> row(ranks, readings, one));
        List<QueensReading> last = byRanks.get(jobs.ranks());
        line("of %d ranks, ms in the middle one of %d solutions:", jobs.ranks(), last.size());
        line("%7s %9s %9s %9s %8s %8s", "rank", "useful", "idle", "overhead", "tasks", "sent");
        List<RankShare> shares = median(last).ranks();
        for (int rank = 0; rank < shares.size(); rank++) {
            RankShare share = shares.get(rank);
            line(
                    "%7d %9.1f %9.1f %9.1f %8d %8d",
                    rank,
                    share.usefulNs() / MS,
                    share.idleNs() / MS,
                    share.overheadNs() / MS,
                    share.tasks(),
                    share.sent());
        }
        out.flush();
    }

    private void row(int ranks, List<QueensReading> readings, double one) {
        QueensReading middle = median(readings);
        long[] nanos =
                readings.stream().mapToLong(QueensReading::nanos).sorted().toArray();
        long tasks = middle.sum(RankShare::tasks);
        line(
                "%7d %9.4f %9.4f %9.4f %8.2f %8d %9.1f %6.1f %% %5.1f %% %7.1f %%",
                ranks,
                middle.nanos() / SECOND,
                nanos[0] / SECOND,
                nanos[nanos.length - 1] / SECOND,
                one / middle.nanos(),
                tasks,
                middle.sum(RankShare::usefulNs) / US / tasks,
                share(middle, RankShare::usefulNs),
                share(middle, RankShare::idleNs),
                share(middle, RankShare::overheadNs));
    }

    /** In percent of all ranks' time. */
    private static double share(QueensReading reading, ToLongFunction<RankShare> part) {
        long all = reading.sum(share -> share.usefulNs() + share.idleNs() + share.overheadNs());
        return PERCENT * reading.sum(part) / Math.max(1, all);
    }

    private static QueensReading median(List<QueensReading> readings) {
        return readings.stream()
                .sorted(Comparator.comparingLong(QueensReading::nanos))
                .toList()
                .get(readings.size() / 2);
    }

    private String record(Route route, QueensProblem problem, QueensReading reading, int round) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("benchmark", NAME);
        fields.put("peer", "sluice");
        fields.put("channel", route.label());
        fields.put("api", problem.api().label());
        fields.put("ranks", reading.ranks().size());
        fields.put("n", problem.queens());
        fields.put("threshold", problem.threshold());
        fields.put("unit", "s");
        fields.put("mean", reading.nanos() / SECOND);
        fields.put("count", 1);
        fields.put("solutions", reading.sum(RankShare::solutions));
        fields.put("tasks", numbers(reading.each(RankShare::tasks)));
        fields.put("sent", numbers(reading.each(RankShare::sent)));
        fields.put("usefulNs", numbers(reading.each(RankShare::usefulNs)));
        fields.put("idleNs", numbers(reading.each(RankShare::idleNs)));
        fields.put("overheadNs", numbers(reading.each(RankShare::overheadNs)));
        fields.put("jdk", machine.jdk());
        fields.put("kernel", machine.kernel());
        fields.put("cpu", machine.cpu());
        fields.put("cores", machine.cores());
        fields.put("pinned", machine.cores() >= reading.ranks().size());
        fields.put("round", round);
        return BenchRecord.object(fields);
    }

    /** As JSON has lists. */
    private static List<Long> numbers(long[] each) {
        return Arrays.stream(each).boxed().toList();
    }

    /** One JSON object for each solution. */
    public List<String> json() {
        return List.copyOf(records);
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values).stripTrailing());
    }
}
