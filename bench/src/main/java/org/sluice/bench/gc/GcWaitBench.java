package org.sluice.bench.gc;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluice.bench.report.BenchRecord;
import org.sluice.bench.report.Machine;
import org.sluice.launch.JavaHome;

/**
 * {@code ./sluice bench gc-wait}: how long a collection that is asked for waits at most before it begins, while arrays
 * go to and fro between two processes.
 */
public final class GcWaitBench {
    public static final String NAME = "gc-wait";

    /** When the user names none. */
    public static final List<Integer> SIZES = List.of(8, 64 << 10, 1 << 20, 16 << 20);

    public static final int SECONDS = 10;
    public static final int SECONDS_MOST = 3600;

    private static final double MICRO = 1e3;

    private final JavaHome java;
    private final Machine machine;
    private final PrintWriter out;
    private final List<String> records = new ArrayList<>();

    public GcWaitBench(JavaHome java, Machine machine, PrintWriter out) {
        this.java = java;
        this.machine = machine;
        this.out = out;
    }

    /**
     * Prints a table.
     *
     * @param sizes bytes of messages, at least 1
     * @param seconds that are measured at each size
     * @throws IllegalStateException with the last lines of what failed
     */
    public void run(List<Integer> sizes, int seconds) throws InterruptedException {
        List<GcWaitReading> readings = new GcWaitRun(java, sizes, seconds).readings();
        out.println();
        line("us that a collection waited before it began, the longest of each second; shm, arrays, pinned, 2 ranks");
        line("%12s %9s %12s %9s %9s %9s", "bytes", "seconds", "collections", "least", "median", "most");
        for (int size : sizes) {
            List<GcWaitReading> ofSize =
                    readings.stream().filter(reading -> reading.size() == size).toList();
            if (ofSize.isEmpty()) {
                throw new IllegalStateException("no collection began in " + seconds + " s; does the JVM ignore those"
                        + " that are asked for (-XX:+DisableExplicitGC)?");
            }
            report(size, ofSize);
        }
        out.flush();
    }

    private void report(int size, List<GcWaitReading> readings) {
        long[] worst =
                readings.stream().mapToLong(GcWaitReading::worstNanos).sorted().toArray();
        long collections =
                readings.stream().mapToLong(GcWaitReading::collections).sum();
        long median = median(worst);
        long most = worst[worst.length - 1];
        line(
                "%12d %9d %12d %9.1f %9.1f %9.1f",
                size, worst.length, collections, worst[0] / MICRO, median / MICRO, most / MICRO);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("benchmark", NAME);
        fields.put("peer", "sluice");
        fields.put("channel", "shm");
        fields.put("ranks", 2);
        fields.put("size", size);
        fields.put("unit", "ns");
        fields.put("median", median);
        fields.put("max", most);
        fields.put("count", worst.length);
        fields.put("collections", collections);
        fields.put("jdk", machine.jdk());
        fields.put("kernel", machine.kernel());
        fields.put("cpu", machine.cpu());
        fields.put("cores", machine.cores());
        records.add(BenchRecord.object(fields));
    }

    /** Of sorted values. */
    static long median(long[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** One JSON object for each size. */
    public List<String> json() {
        return List.copyOf(records);
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
