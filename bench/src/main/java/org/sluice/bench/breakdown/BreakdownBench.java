package org.sluice.bench.breakdown;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sluice.bench.plan.Sizes;
import org.sluice.bench.report.BenchRecord;
import org.sluice.bench.report.Machine;
import org.sluice.launch.JavaHome;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;

/**
 * {@code ./sluice bench breakdown}: what a native call, a lock, a wake-up, a copy and a registration cost on this
 * machine, each by itself. Each has a process of its own: a compiler that has seen one thing done by a loop compiles it
 * for that.
 */
public final class BreakdownBench {
    public static final String NAME = "breakdown";

    /** When the user names none. */
    public static final List<Integer> SIZES = List.of(64, 4 << 10, 64 << 10, 1 << 20);

    /** For all parts together. */
    public static final int SECONDS = 10;

    public static final int SECONDS_MOST = 3600;

    private final JavaHome java;
    private final Machine machine;
    private final PrintWriter out;
    private final List<PartReading> readings = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    public BreakdownBench(JavaHome java, Machine machine, PrintWriter out) {
        this.java = java;
        this.machine = machine;
        this.out = out;
    }

    /**
     * Prints a table.
     *
     * @param sizes of copies and registrations, in bytes, at least 1
     * @param seconds for all of it
     * @throws IllegalStateException with the lines of what failed
     */
    public void run(List<Integer> sizes, int seconds) throws InterruptedException {
        long parts = Stream.of(Part.values())
                .mapToLong(part -> part.isOfSize() ? sizes.size() : 1)
                .sum();
        long millis = Math.max(1, TimeUnit.SECONDS.toMillis(seconds) / parts);
        for (Part part : Part.values()) {
            read(part, part.isOfSize() ? sizes : List.of(0), millis);
        }
        report();
    }

    private void read(Part part, List<Integer> sizes, long millis) throws InterruptedException {
        int before = readings.size();
        Launcher launcher = new Launcher(
                        1, Program.ofClassPath(System.getProperty("java.class.path"), BreakdownRank.class.getName()))
                .java(java)
                .arguments(Stream.concat(Stream.of(part.label(), millis), sizes.stream())
                        .map(String::valueOf)
                        .toList())
                .graceSeconds(0)
                .messages(this::take)
                .output(RankOutput.captured((rank, error, line) -> take(line)));
        JobResult result = launcher.start().waitFor();
        if (result.status() != 0 || readings.size() - before != sizes.size()) {
            throw new IllegalStateException("the process for " + part.label() + " ended with status " + result.status()
                    + "; its lines:\n  " + String.join("\n  ", lines));
        }
    }

    private synchronized void take(String line) {
        PartReading.parse(line).ifPresentOrElse(readings::add, () -> lines.add(line));
    }

    private void report() {
        out.println();
        line("ns that each costs, by itself, on one core; a wake-up on two, where there are");
        line("%-56s %9s %10s %10s %10s", "", "bytes", "p50", "p90", "p99");
        for (PartReading reading : readings) {
            String size = reading.part().isOfSize() ? Sizes.format(reading.size()) : "";
            String words = reading.part().words();
            if (reading.isThere()) {
                line("%-56s %9s %10.1f %10.1f %10.1f", words, size, reading.at(0.5), reading.at(0.9), reading.at(0.99));
            } else {
                line("%-56s %9s not timed: %s", words, size, reading.why());
            }
        }
        out.flush();
    }

    /** One JSON object for each part and size that was timed. */
    public List<String> json() {
        return readings.stream()
                .filter(PartReading::isThere)
                .map(reading -> BenchRecord.object(fields(reading)))
                .toList();
    }

    private Map<String, Object> fields(PartReading reading) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("benchmark", NAME);
        fields.put("peer", "sluice");
        fields.put("part", reading.part().label());
        fields.put("ranks", 1);
        fields.put("size", reading.size());
        fields.put("unit", "ns");
        fields.put("p50", tenths(reading.at(0.5)));
        fields.put("p90", tenths(reading.at(0.9)));
        fields.put("p99", tenths(reading.at(0.99)));
        fields.put("max", tenths(reading.at(1)));
        fields.put("mean", tenths(mean(reading)));
        fields.put("count", reading.batches().length);
        fields.put("iterations", reading.each());
        fields.put("jdk", machine.jdk());
        fields.put("kernel", machine.kernel());
        fields.put("cpu", machine.cpu());
        fields.put("cores", machine.cores());
        return fields;
    }

    private static double mean(PartReading reading) {
        return IntStream.range(0, reading.batches().length)
                .mapToDouble(i -> reading.batches()[i])
                .average()
                .orElseThrow();
    }

    private static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
