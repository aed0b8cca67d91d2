package org.sluice.bench.papers;

import java.util.List;
import java.util.Locale;
import org.sluice.bench.report.Comparison;

/**
 * A figure: the median of the rounds of one state, with their quartiles.
 *
 * @param state of the cores; empty if nobody looked
 */
record Point(double median, double low, double high, int rounds, String state) {

    /** @param values of rounds, at least one */
    static Point of(List<Double> values, String state) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Point(Comparison.median(sorted), at(sorted, 0.25), at(sorted, 0.75), sorted.length, state);
    }

    private static double at(double[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }

    Point dividedBy(double divisor) {
        return new Point(median / divisor, low / divisor, high / divisor, rounds, state);
    }

    /** Whether something can be said of it: half of its rounds lie between its quartiles, and there are some. */
    boolean hasRoundsEnough() {
        return rounds >= Comparison.ROUNDS_LEAST;
    }

    /** Whether the quartiles of both leave a gap, and both are of the same state. */
    boolean isApartFrom(Point other) {
        return hasRoundsEnough()
                && other.hasRoundsEnough()
                && state.equals(other.state)
                && (low > other.high || high < other.low);
    }

    /** With three digits that count. */
    static String text(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        double size = Math.abs(value);
        int decimals = size == 0 || size >= 100 ? 0 : (int) Math.max(0, 2 - Math.floor(Math.log10(size)));
        return String.format(Locale.ROOT, "%." + Math.min(decimals, 6) + "f", value);
    }

    /** As tables have it. */
    @Override
    public String toString() {
        return text(median) + (rounds > 1 ? " [" + text(low) + " " + text(high) + "; " + rounds + "]" : "");
    }
}
