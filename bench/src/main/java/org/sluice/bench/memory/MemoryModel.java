package org.sluice.bench.memory;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A straight line through readings, and how far it is to be trusted.
 *
 * @param perConnection bytes that another connection adds
 * @param spread widest distance of a reading from the line, in bytes
 */
record MemoryModel(double perConnection, double spread) {
    /**
     * Processes of the jobs that are modelled; the last is the one for which the paper of Koop, Jones and Panda, 2007,
     * names its megabytes.
     */
    static final List<Integer> JOBS = List.of(512, 1024, 2048, 4096, 8192);

    /** By least squares. */
    static MemoryModel of(List<MemoryReading> readings, ToLongFunction<MemoryReading> bytes) {
        double meanX =
                readings.stream().mapToInt(MemoryReading::connections).average().orElseThrow();
        double meanY = readings.stream().mapToLong(bytes).average().orElseThrow();
        double xy = 0;
        double xx = 0;
        for (MemoryReading reading : readings) {
            double x = reading.connections() - meanX;
            xy += x * (bytes.applyAsLong(reading) - meanY);
            xx += x * x;
        }
        if (xx == 0) {
            throw new IllegalArgumentException(
                    "a line needs readings of at least two numbers of connections: " + readings);
        }
        double slope = xy / xx;
        double spread = 0;
        for (MemoryReading reading : readings) {
            double line = meanY + slope * (reading.connections() - meanX);
            spread = Math.max(spread, Math.abs(bytes.applyAsLong(reading) - line));
        }
        return new MemoryModel(slope, spread);
    }

    /** Bytes of one of so many processes that is connected to all others. */
    double ofJob(int processes) {
        return perConnection * (processes - 1);
    }
}
