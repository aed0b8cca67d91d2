package org.sluice.cli.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.sluice.device.layer.LayerActivity;

/**
 * Collectives that have not ended from one sample of a job's ranks to the next, and whose ranks have not come.
 * <i>Proof</i>: {@code StuckCollectivesTest}.
 */
final class StuckCollectives {
    private static final int SHOWN = 8;

    /** One call of one communicator. */
    private record Turn(String group, long number) implements Comparable<Turn> {
        @Override
        public int compareTo(Turn other) {
            int byGroup = group.compareTo(other.group);
            return byGroup != 0 ? byGroup : Long.compare(number, other.number);
        }
    }

    private StuckCollectives() {}

    /**
     * A line for each.
     *
     * @param before and now, of ranks of one job
     */
    static List<String> of(List<Sample> before, List<Sample> now) {
        Map<Turn, LayerActivity> stuck = new TreeMap<>();
        for (Sample sample : now) {
            for (LayerActivity each : sample.activities()) {
                if (each.turn() > 0 && wasIn(before, sample, each)) {
                    stuck.put(new Turn(each.group(), each.turn()), each);
                }
            }
        }
        List<String> lines = new ArrayList<>();
        for (Map.Entry<Turn, LayerActivity> each : stuck.entrySet()) {
            lines.add(line(each.getKey(), each.getValue(), now));
        }
        return lines;
    }

    private static boolean wasIn(List<Sample> before, Sample sample, LayerActivity activity) {
        return before.stream()
                .filter(sample::isOfSameDevice)
                .flatMap(same -> same.activities().stream())
                .anyMatch(earlier -> earlier.group().equals(activity.group()) && earlier.turn() == activity.turn());
    }

    private static String line(Turn turn, LayerActivity call, List<Sample> now) {
        TreeSet<Integer> wait = new TreeSet<>();
        TreeSet<Integer> absent = new TreeSet<>();
        TreeSet<Integer> known = new TreeSet<>();
        TreeSet<String> others = new TreeSet<>();
        for (Sample sample : now) {
            for (LayerActivity each : sample.activities()) {
                if (each.group().equals(turn.group)) {
                    known.add(each.rank());
                    if (each.begun() < turn.number) {
                        absent.add(each.rank());
                    } else if (each.turn() == turn.number) {
                        wait.add(each.rank());
                        others.add(each.call());
                    }
                }
            }
        }
        others.remove(call.call());
        return "collective: " + call.call() + " of " + call.name() + " (call " + turn.number + "): " + ranks(wait)
                + " of " + call.size() + (wait.size() == 1 ? " waits" : " wait")
                + (absent.isEmpty() ? "" : "; not come: " + ranks(absent))
                + (others.isEmpty() ? "" : "; some are in " + String.join(", ", others) + " instead")
                + (known.size() == call.size() ? "" : "; of the others nothing is known here");
    }

    private static String ranks(TreeSet<Integer> ranks) {
        String few = ranks.stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining(", "));
        return (ranks.size() == 1 ? "rank " : "ranks ")
                + few
                + (ranks.size() > SHOWN ? " and " + (ranks.size() - SHOWN) + " more" : "");
    }
}
