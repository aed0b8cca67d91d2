package org.sluice.bench.memory;

import java.util.List;
import java.util.Locale;

/** What connections cost, as text: readings, the line through them, the paper's job, and the paper's own numbers. */
final class MemoryTable {
    private static final double KB = 1000;
    private static final double MB = 1e6;
    /** Send work requests and KB (of 1,024 bytes) a connection, of table 2 in "Reducing Connection Memory Requirements of MPI for InfiniBand Clusters". */
    private static final double[][] PAPER = {{5, 8.82}, {10, 12.82}, {20, 20.81}, {40, 36.86}, {100, 68.73}, {200, 132.76}};
    private static final double PAPER_KB = 1024;

    private MemoryTable() {
    }

    static String of(int window, List<MemoryReading> readings) {
        StringBuilder text = new StringBuilder();
        line(text, "memory, growth in KB since the first reading; %d ranks in one JVM, %d send work requests for each connection",
                MemoryRun.RANKS, window);
        line(text, "%12s %9s %9s %9s %9s", "connections", "heap", "native", "kernel", "all");
        MemoryReading first = readings.get(0);
        for (MemoryReading reading : readings) {
            line(text, "%12d %9.0f %9.0f %9.0f %9.0f", reading.connections(), (reading.heap() - first.heap()) / KB,
                    (reading.nativeBytes() - first.nativeBytes()) / KB, (reading.kernel() - first.kernel()) / KB,
                    (reading.total() - first.total()) / KB);
        }
        List<MemoryReading> fitted = fitted(readings);
        MemoryModel all = MemoryModel.of(fitted, MemoryReading::total);
        line(text, "Each connection: %.1f KB of Sluice and its libraries, %.1f KB of the kernel, of which %.1f KB are the queues that the driver maps;",
                MemoryModel.of(fitted, MemoryReading::own).perConnection() / KB, MemoryModel.of(fitted, MemoryReading::kernel).perConnection() / KB,
                MemoryModel.of(fitted, MemoryReading::queues).perConnection() / KB);
        line(text, "%.1f KB in all, by the line through the last %d readings, from which they are %.0f KB off at most.",
                all.perConnection() / KB, fitted.size(), all.spread() / KB);
        line(text, "A process that is connected to all others of %d: %.0f MB, of which %.0f MB are Sluice's and its libraries'.",
                MemoryModel.PROCESSES, all.ofLargeJob() / MB, MemoryModel.of(fitted, MemoryReading::own).ofLargeJob() / MB);
        return text.toString();
    }

    /** The first readings have what is loaded and made once in them. */
    static List<MemoryReading> fitted(List<MemoryReading> readings) {
        return readings.subList(readings.size() / 3, readings.size());
    }

    static String ofPaper() {
        StringBuilder text = new StringBuilder();
        line(text, "MVAPICH, as Koop, Jones and Panda measured it in 2007 on an InfiniHost III, by the same line:");
        line(text, "%12s %14s %22s", "requests", "KB/connection", "MB at " + MemoryModel.PROCESSES + " processes");
        for (double[] point : PAPER) {
            double bytes = point[1] * PAPER_KB;
            line(text, "%12.0f %14.1f %22.0f", point[0], bytes / KB, new MemoryModel(bytes, 0).ofLargeJob() / MB);
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
