package org.sluice.bench.report;

import java.util.Arrays;
import org.HdrHistogram.AbstractHistogram;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.OverlapTimes;
import org.sluice.bench.plan.RankTimes;

/**
 * What one contestant did at one size in one round, in the benchmark's unit.
 *
 * @param value the round's figure: for times and shares the median over batches, else the mean over the round
 * @param mean over all batches
 * @param tails of single iterations in nanoseconds of a whole iteration; null where the benchmark has no such pass
 * @param sorted figures of the batches, ascending
 * @param count iterations behind value and mean
 * @param rankMin of a collective, the fastest rank's figure; else 0
 * @param rankMax of a collective, the slowest rank's figure; else 0
 * @param fillNs what a sender took to write its buffer, the median over batches; negative where nobody timed that
 * @param cpuNs processor time of all ranks together for a message, or where an iteration isn't so many messages for an
 *     iteration; negative where nobody can tell
 */
public record Measurement(
        String peer,
        int size,
        int round,
        double hopBefore,
        double hopAfter,
        double value,
        double mean,
        AbstractHistogram tails,
        double[] sorted,
        long count,
        double rankMin,
        double rankMax,
        double fillNs,
        double cpuNs) {

    private static final double NOT_TIMED = -1;

    private static final double MEGA = 1e6;
    private static final double NANO = 1e9;
    private static final int DIGITS = 3;

    /**
     * @param batchNs nanoseconds of each batch; where the benchmark is a share, those of its parts
     * @param tailNs nanoseconds of single iterations; empty where there was no such pass
     * @param batch iterations in a batch
     * @param window messages one way in an iteration
     */
    public static Measurement of(
            String peer,
            Benchmark benchmark,
            int size,
            int round,
            double hopBefore,
            double hopAfter,
            long[] batchNs,
            long[] tailNs,
            int batch,
            int window) {
        if (benchmark.isCollective()) {
            Measurement means = timed(
                    peer,
                    benchmark,
                    size,
                    round,
                    hopBefore,
                    hopAfter,
                    RankTimes.means(batchNs),
                    RankTimes.means(tailNs),
                    batch,
                    window);
            return means.withRanks(RankTimes.fastest(batchNs, batch), RankTimes.slowest(batchNs, batch));
        }
        return timed(peer, benchmark, size, round, hopBefore, hopAfter, batchNs, tailNs, batch, window);
    }

    private Measurement withRanks(double fastest, double slowest) {
        return new Measurement(
                peer, size, round, hopBefore, hopAfter, value, mean, tails, sorted, count, fastest, slowest, fillNs,
                cpuNs);
    }

    /** @param newCpuNs see {@link #cpuNs} */
    public Measurement withProcessor(double newCpuNs) {
        return new Measurement(
                peer, size, round, hopBefore, hopAfter, value, mean, tails, sorted, count, rankMin, rankMax, fillNs,
                newCpuNs);
    }

    boolean hasProcessor() {
        return cpuNs >= 0;
    }

    /** @param batchNs nanoseconds of each batch in which the sender wrote its buffer */
    public Measurement withFill(long[] batchNs, int batch) {
        double[] sorted = Arrays.stream(batchNs)
                .mapToDouble(ns -> Math.max(0, (double) ns / batch))
                .sorted()
                .toArray();
        return new Measurement(
                peer,
                size,
                round,
                hopBefore,
                hopAfter,
                value,
                mean,
                tails,
                this.sorted,
                count,
                rankMin,
                rankMax,
                at(sorted, 0.5),
                cpuNs);
    }

    boolean hasFill() {
        return fillNs >= 0;
    }

    /** What is left of a latency without the filling. */
    double withoutFill() {
        return value - fillNs;
    }

    private static Measurement timed(
            String peer,
            Benchmark benchmark,
            int size,
            int round,
            double hopBefore,
            double hopAfter,
            long[] batchNs,
            long[] tailNs,
            int batch,
            int window) {
        if (benchmark.isShare()) {
            double[] shares = OverlapTimes.hidden(batchNs);
            Arrays.sort(shares);
            return new Measurement(
                    peer,
                    size,
                    round,
                    hopBefore,
                    hopAfter,
                    at(shares, 0.5),
                    Arrays.stream(shares).average().orElseThrow(),
                    null,
                    shares,
                    (long) shares.length * batch,
                    0,
                    0,
                    NOT_TIMED,
                    NOT_TIMED);
        }
        double[] sorted = new double[batchNs.length];
        long total = 0;
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = figure(benchmark, size, window, (double) batchNs[i] / batch);
            total += batchNs[i];
        }
        Arrays.sort(sorted);
        double mean = figure(benchmark, size, window, (double) total / batchNs.length / batch);
        return new Measurement(
                peer,
                size,
                round,
                hopBefore,
                hopAfter,
                benchmark.lowerIsBetter() ? at(sorted, 0.5) : mean,
                mean,
                histogram(tailNs),
                sorted,
                (long) batchNs.length * batch,
                0,
                0,
                NOT_TIMED,
                NOT_TIMED);
    }

    private static double figure(Benchmark benchmark, int size, int window, double iterationNs) {
        if (benchmark.pingPong()) {
            return iterationNs / 2;
        }
        if (benchmark.isCollective() || benchmark.isAnswered()) {
            return iterationNs;
        }
        switch (benchmark) {
            case NEIGHBOR:
                return iterationNs;
            case RATE:
                return window * NANO / iterationNs;
            case BIBANDWIDTH:
                return 2.0 * window * size * NANO / MEGA / iterationNs;
            default:
                return (double) window * size * NANO / MEGA / iterationNs;
        }
    }

    private static AbstractHistogram histogram(long[] tailNs) {
        if (tailNs.length == 0) {
            return null;
        }
        AbstractHistogram histogram = new org.HdrHistogram.IntCountsHistogram(DIGITS);
        for (long ns : tailNs) {
            histogram.recordValue(Math.max(0, ns));
        }
        return histogram;
    }

    /** The share of the way up a sorted array; 0.5 is the median. */
    static double at(double[] sorted, double share) {
        return sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))];
    }
}
