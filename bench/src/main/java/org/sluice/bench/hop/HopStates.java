package org.sluice.bench.hop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Sorts the hops of one run into clusters and names them.
 *
 * <p>A cluster is the window of a factor of two that holds the most hops that no earlier cluster took; what lies
 * outside the few big ones is noise. Names come from the cluster's median, by bounds that were measured on virtual
 * machines; where two clusters would get one name, the larger keeps it, because rounds of the two can't be compared.
 * Where all hops are of one cluster on some other machine, only its name can be wrong, not what is compared.
 */
public final class HopStates {
    /** Before and after differ by more: the cores moved in between. */
    private static final double MOVED = 1.3;

    private static final double CLUSTER_WIDTH = 2.0;
    private static final int CLUSTERS_MOST = 3;
    /** A cluster of less than this share of the hops is noise. */
    private static final double CLUSTER_SHARE_LEAST = 0.04;

    private static final double SAME_BELOW_NS = 38;
    private static final double FAR_ABOVE_NS = 130;

    private record Range(double least, double most) {}

    private final Map<HopState, Range> ranges = new EnumMap<>(HopState.class);

    /** From all hops that a run probed; zeros (no probe possible) are left out. */
    public HopStates(double[] hops) {
        List<Double> left = new ArrayList<>();
        Arrays.stream(hops).filter(hop -> hop > 0).sorted().forEach(left::add);
        int least = Math.max(1, (int) Math.ceil(left.size() * CLUSTER_SHARE_LEAST));
        for (int i = 0; i < CLUSTERS_MOST && !left.isEmpty(); i++) {
            int[] window = densest(left);
            List<Double> cluster = left.subList(window[0], window[1]);
            if (cluster.size() < least) {
                break;
            }
            ranges.putIfAbsent(
                    name(cluster.get(cluster.size() / 2)), new Range(cluster.get(0), cluster.get(cluster.size() - 1)));
            cluster.clear();
        }
    }

    /** From (included) and to (excluded), in sorted hops. */
    private static int[] densest(List<Double> sorted) {
        int[] best = {0, 0};
        int to = 0;
        for (int from = 0; from < sorted.size(); from++) {
            while (to < sorted.size() && sorted.get(to) <= sorted.get(from) * CLUSTER_WIDTH) {
                to++;
            }
            if (to - from > best[1] - best[0]) {
                best = new int[] {from, to};
            }
        }
        return best;
    }

    private static HopState name(double hop) {
        if (hop < SAME_BELOW_NS) {
            return HopState.SAME;
        }
        return hop <= FAR_ABOVE_NS ? HopState.NEAR : HopState.FAR;
    }

    /** The state of a round between two probes. Without probes (one core) there is one state, and it is SAME. */
    public HopState of(double before, double after) {
        if (before == 0 && after == 0) {
            return HopState.SAME;
        }
        if (Math.max(before, after) > MOVED * Math.min(before, after)) {
            return HopState.MIXED;
        }
        double hop = Math.sqrt(before * after);
        for (Map.Entry<HopState, Range> entry : ranges.entrySet()) {
            if (hop >= entry.getValue().least() && hop <= entry.getValue().most()) {
                return entry.getKey();
            }
        }
        return HopState.MIXED;
    }
}
