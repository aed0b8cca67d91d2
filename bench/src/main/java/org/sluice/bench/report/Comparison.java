package org.sluice.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.sluice.bench.hop.HopState;
import org.sluice.bench.hop.HopStates;

/**
 * One contestant against another at one size: the ratio of the medians over the rounds in which both were measured in one and the
 * same state, with the quartiles of the rounds' own ratios as the spread. Mixed rounds count for nothing.
 *
 * @param rounds how many the ratio rests on; 0 leaves the rest undefined
 */
public record Comparison(HopState state, int rounds, double ratio, double lowQuartile, double highQuartile) {
    /** Fewer comparable rounds are too few. */
    public static final int ROUNDS_LEAST = 5;

    /** Both lists are of one size. */
    public static Comparison of(List<Measurement> ours, List<Measurement> theirs, HopStates states) {
        Map<HopState, List<double[]>> pairs = new EnumMap<>(HopState.class);
        for (Measurement our : ours) {
            for (Measurement their : theirs) {
                HopState state = states.of(our.hopBefore(), our.hopAfter());
                if (our.round() == their.round() && state != HopState.MIXED
                        && state == states.of(their.hopBefore(), their.hopAfter())) {
                    pairs.computeIfAbsent(state, any -> new ArrayList<>()).add(new double[] {our.value(), their.value()});
                }
            }
        }
        HopState state = choose(pairs);
        if (state == null) {
            return new Comparison(HopState.MIXED, 0, Double.NaN, Double.NaN, Double.NaN);
        }
        List<double[]> rounds = pairs.get(state);
        double[] ratios = rounds.stream().mapToDouble(pair -> pair[0] / pair[1]).sorted().toArray();
        return new Comparison(state, rounds.size(), median(rounds, 0) / median(rounds, 1), Measurement.at(ratios, 0.25),
                Measurement.at(ratios, 0.75));
    }

    /** Near where it has rounds enough, since that is what machines other than virtual ones are; else what has the most. */
    private static HopState choose(Map<HopState, ? extends List<?>> rounds) {
        if (rounds.containsKey(HopState.NEAR) && rounds.get(HopState.NEAR).size() >= ROUNDS_LEAST) {
            return HopState.NEAR;
        }
        HopState best = null;
        for (HopState state : rounds.keySet()) {
            if (best == null || rounds.get(state).size() > rounds.get(best).size()) {
                best = state;
            }
        }
        return best;
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

    /** The rounds of one contestant at one size that belong together: all of one state, chosen as for a ratio. */
    public static List<Measurement> ofOneState(List<Measurement> measurements, HopStates states) {
        Map<HopState, List<Measurement>> rounds = new EnumMap<>(HopState.class);
        for (Measurement measurement : measurements) {
            HopState state = states.of(measurement.hopBefore(), measurement.hopAfter());
            if (state != HopState.MIXED) {
                rounds.computeIfAbsent(state, any -> new ArrayList<>()).add(measurement);
            }
        }
        HopState state = choose(rounds);
        return state == null ? List.of() : rounds.get(state);
    }
}
