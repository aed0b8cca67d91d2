package org.sluice.bench.papers;

import java.util.function.ToDoubleFunction;
import org.sluice.bench.kernels.KernelName;

/** What a figure shows of a record. */
enum Quantity {
    ONE_WAY_US("µs", false, record -> record.number("p50") / 1e3),
    ROUND_TRIP_US("µs", false, record -> 2 * record.number("p50") / 1e3),
    GBPS("Gbit/s", true, record -> record.number("mean") * 8 / 1e3),
    MB_PER_SECOND("MB/s", true, record -> record.number("mean")),
    /** Of all ranks together, by what has to come from another rank. */
    AGGREGATED_MBS("MB/s", true, record -> bytesMoved(record) / record.number("p50") * 1e3),
    /** Of messages. */
    THOUSANDS_PER_SECOND("thousand messages/s", true, record -> record.number("mean") / 1e3),
    /** What connections take, without what a rank has in any case. */
    MEGABYTES("MB", false, record -> record.number("mean") / 1e6),
    /** Of each further connection. */
    KILOBYTES("KB", false, record -> record.number("connectionBytes") / 1024),
    /** Of a rank, the mean over ranks. */
    CONNECTIONS("connections", false, record -> record.number("connections")),
    MOPS("MOPS", true, record -> record.number("mean")),
    MOPS_SPEEDUP("times one rank", true, record -> record.number("mean")),
    /** Of the timed part. */
    KERNEL_SECONDS("s", false, record -> record.number("seconds")),
    SECONDS("s", false, record -> record.number("mean")),
    SECONDS_SPEEDUP("times one rank", true, record -> 1 / record.number("mean")),
    USEFUL("%", true, record -> share(record, "usefulNs")),
    IDLE("%", false, record -> share(record, "idleNs")),
    OVERHEAD("%", false, record -> share(record, "overheadNs")),
    /** Of the n-bodies. */
    STEP_MS("ms", false, record -> record.number("seconds") * 1e3 / KernelName.STEPS),
    NANOSECONDS("ns", false, record -> record.number("p50"));

    private final String unit;
    private final boolean moreIsBetter;
    private final ToDoubleFunction<RunRecord> of;

    Quantity(String unit, boolean moreIsBetter, ToDoubleFunction<RunRecord> of) {
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
        this.of = of;
    }

    String unit() {
        return unit;
    }

    boolean moreIsBetter() {
        return moreIsBetter;
    }

    /** Whether figures are divided by that of one rank. */
    boolean isSpeedup() {
        return this == MOPS_SPEEDUP || this == SECONDS_SPEEDUP;
    }

    double of(RunRecord record) {
        return of.applyAsDouble(record);
    }

    private static double share(RunRecord record, String part) {
        double all = record.sum("usefulNs") + record.sum("idleNs") + record.sum("overheadNs");
        return 100 * record.sum(part) / all;
    }

    private static double bytesMoved(RunRecord record) {
        double others = record.number("ranks") - 1;
        double bytes = record.number("size");
        return switch (record.text("benchmark")) {
            case "allgather" -> (others + 1) * others * bytes;
            case "allreduce" -> 2 * others * bytes;
            default -> others * bytes;
        };
    }
}
