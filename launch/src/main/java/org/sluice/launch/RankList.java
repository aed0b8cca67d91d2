package org.sluice.launch;

import java.util.ArrayList;
import java.util.List;

/** Ranks in words, for messages: "rank 3", "ranks 2, 5", "ranks 0 to 7, 9". */
public final class RankList {
    private RankList() {}

    /** Of ascending ranks. */
    public static String text(List<Integer> ranks) {
        List<String> parts = new ArrayList<>();
        int first = 0;
        while (first < ranks.size()) {
            int last = first;
            while (last + 1 < ranks.size() && ranks.get(last + 1) == ranks.get(last) + 1) {
                last++;
            }
            if (last - first >= 2) {
                parts.add(ranks.get(first) + " to " + ranks.get(last));
            } else {
                for (int i = first; i <= last; i++) {
                    parts.add(ranks.get(i).toString());
                }
            }
            first = last + 1;
        }
        return (ranks.size() == 1 ? "rank " : "ranks ") + String.join(", ", parts);
    }

    /** As {@link #text}, of ranks that follow each other. */
    public static String range(int first, int count) {
        return count == 1 ? "rank " + first : "ranks " + first + " to " + (first + count - 1);
    }
}
