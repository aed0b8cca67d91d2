package org.sluice.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.sluice.bench.hop.HopState;
import org.sluice.bench.hop.HopStates;

/**
 * One contestant against another at one size: the ratio of the medians over the rounds in which both were measured in
 * the state that stands for the size, with the quartiles of the rounds' own ratios as the spread. Mixed rounds count
 * for nothing.
 *
 * @param rounds how many the ratio rests on; 0 leaves the rest undefined
 */
public record Comparison(HopState state, int rounds, double ratio, double lowQuartile, double highQuartile) {
    /** Fewer comparable rounds are too few. */
    public static final int ROUNDS_LEAST = 5;

    /** Both lists are of one size. */
    public static Comparison of(List<Measurement> ours, List<Measurement> theirs, HopStates states, HopState state) {
        return of(ours, theirs, states, state, Measurement::value);
    }

    /** @param figure of a round, by which they are compared */
    static Comparison of(
            List<Measurement> ours,
            List<Measurement> theirs,
            HopStates states,
            HopState state,
            ToDoubleFunction<Measurement> figure) {
        List<double[]> rounds = new ArrayList<>();
        for (Measurement our : inState(ours, states, state)) {
            for (Measurement their : inState(theirs, states, state)) {
                if (our.round() == their.round()) {
                    rounds.add(new double[] {figure.applyAsDouble(our), figure.applyAsDouble(their)});
                }
            }
        }
        if (rounds.isEmpty()) {
            return new Comparison(state, 0, Double.NaN, Double.NaN, Double.NaN);
        }
        double[] ratios =
                rounds.stream().mapToDouble(pair -> pair[0] / pair[1]).sorted().toArray();
        return new Comparison(
                state,
                rounds.size(),
                median(rounds, 0) / median(rounds, 1),
                Measurement.at(ratios, 0.25),
                Measurement.at(ratios, 0.75));
    }

    /** Nothing is in the mixed one. */
    static List<Measurement> inState(List<Measurement> measurements, HopStates states, HopState state) {
        return state == HopState.MIXED
                ? List.of()
                : measurements.stream()
                        .filter(m -> states.of(m.hopBefore(), m.hopAfter()) == state)
                        .toList();
    }

    private static double median(List<double[]> pairs, int index) {
        return median(pairs.stream().mapToDouble(pair -> pair[index]).toArray());
    }

    /** The mean of the middle two for an even count. */
    public static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
