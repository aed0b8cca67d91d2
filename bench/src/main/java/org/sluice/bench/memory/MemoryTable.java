package org.sluice.bench.memory;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** What connections cost, as text: readings, the lines through them, the paper's job, and the paper's own numbers. */
final class MemoryTable {
    private static final double KB = 1000;
    private static final double MB = 1e6;
    /**
     * Send work requests and KB (of 1,024 bytes) a connection, of table 2 in "Reducing Connection Memory Requirements
     * of MPI for InfiniBand Clusters".
     */
    private static final double[][] PAPER = {
        {5, 8.82}, {10, 12.82}, {20, 20.81}, {40, 36.86}, {100, 68.73}, {200, 132.76}
    };

    private static final double PAPER_KB = 1024;

    private MemoryTable() {}

    /** @param limit readings of connections with nothing on top, at the same numbers of them */
    static String of(int window, List<MemoryReading> readings, List<MemoryReading> limit) {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "memory, growth in KB since the first reading; %d ranks in one JVM, %d send work requests for each"
                        + " connection",
                MemoryRun.RANKS,
                window);
        line(text, "%12s %9s %9s %9s %9s %9s", "connections", "heap", "native", "kernel", "all", LimitRun.NAME);
        MemoryReading first = readings.get(0);
        for (int i = 0; i < readings.size(); i++) {
            MemoryReading reading = readings.get(i);
            line(
                    text,
                    "%12d %9.0f %9.0f %9.0f %9.0f %9.0f",
                    reading.connections(),
                    (reading.heap() - first.heap()) / KB,
                    (reading.nativeBytes() - first.nativeBytes()) / KB,
                    (reading.kernel() - first.kernel()) / KB,
                    (reading.total() - first.total()) / KB,
                    (limit.get(i).total() - limit.get(0).total()) / KB);
        }
        ofConnection(text, fitted(readings), fitted(limit));
        return text.toString();
    }

    private static void ofConnection(StringBuilder text, List<MemoryReading> readings, List<MemoryReading> limit) {
        line(text, "%s", "");
        line(text, "%-44s %9s %9s %9s", "KB of each connection", "sluice", LimitRun.NAME, "more");
        row(text, "the process: Sluice, its libraries", readings, limit, MemoryReading::own);
        row(text, "the kernel: queues that the driver maps", readings, limit, MemoryReading::queues);
        row(text, "the kernel: the rest", readings, limit, reading -> reading.kernel() - reading.queues());
        row(text, "all", readings, limit, MemoryReading::total);
        MemoryModel all = MemoryModel.of(readings, MemoryReading::total);
        MemoryModel least = MemoryModel.of(limit, MemoryReading::total);
        for (int processes : MemoryModel.JOBS) {
            line(
                    text,
                    "%-44s %9.1f %9.1f %9.1f",
                    "MB of a process connected to all of " + processes,
                    all.ofJob(processes) / MB,
                    least.ofJob(processes) / MB,
                    (all.ofJob(processes) - least.ofJob(processes)) / MB);
        }
        line(
                text,
                "By the lines through the last %d readings, from which they are %.0f and %.0f KB off at most.",
                readings.size(),
                all.spread() / KB,
                least.spread() / KB);
    }

    private static void row(
            StringBuilder text,
            String name,
            List<MemoryReading> readings,
            List<MemoryReading> limit,
            ToLongFunction<MemoryReading> bytes) {
        double sluice = MemoryModel.of(readings, bytes).perConnection() / KB;
        double least = MemoryModel.of(limit, bytes).perConnection() / KB;
        line(text, "%-44s %9.1f %9.1f %9.1f", name, sluice, least, sluice - least);
    }

    /** The line through readings of all that a connection takes. */
    static MemoryModel model(List<MemoryReading> readings) {
        return MemoryModel.of(fitted(readings), MemoryReading::total);
    }

    /** The first readings have what is loaded and made once in them. */
    static List<MemoryReading> fitted(List<MemoryReading> readings) {
        return readings.subList(readings.size() / 3, readings.size());
    }

    /** Of what the kernel's part of a connection with nothing on top consists, its queues apart. */
    static String ofCaches(List<KernelCache> caches) {
        StringBuilder text = new StringBuilder();
        line(text, "Objects that the kernel took for each connection of %s, beside queues:", LimitRun.NAME);
        line(text, "%12s %12s %14s  %s", "number", "bytes of one", "KB/connection", "cache");
        caches.stream()
                .sorted(Comparator.comparingDouble(KernelCache::bytesOfConnection)
                        .reversed())
                .forEach(cache -> line(
                        text,
                        "%12.1f %12d %14.2f  %s",
                        cache.perConnection(),
                        cache.bytes(),
                        cache.bytesOfConnection() / KB,
                        cache.name()));
        return text.toString();
    }

    /** The paper's curves, at the same numbers of processes as ours. */
    static String ofPaper() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "MVAPICH, as Koop, Jones and Panda measured it in 2007 on an InfiniHost III, in MB by the same line:");
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%12s %14s", "requests", "KB/connection"));
        MemoryModel.JOBS.forEach(processes -> head.append(String.format(Locale.ROOT, " %9d", processes)));
        line(text, "%s", head);
        for (double[] point : PAPER) {
            MemoryModel curve = new MemoryModel(point[1] * PAPER_KB, 0);
            StringBuilder row = new StringBuilder(
                    String.format(Locale.ROOT, "%12.0f %14.1f", point[0], curve.perConnection() / KB));
            MemoryModel.JOBS.forEach(
                    processes -> row.append(String.format(Locale.ROOT, " %9.1f", curve.ofJob(processes) / MB)));
            line(text, "%s", row);
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
