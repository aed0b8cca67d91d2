package org.sluice.bench.papers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A line of a figure.
 *
 * @param label as the legend has it; Sluice's own begin with its name
 * @param runs whose records it is made of
 * @param where which of those records: values by field
 */
record Curve(String label, List<String> runs, Map<String, String> where, Quantity quantity) {
    private static final String OURS = "Sluice";

    /** Of a contestant in one run. */
    static Curve of(String label, String run, String peer, Quantity quantity) {
        return new Curve(label, List.of(run), Map.of("peer", peer), quantity);
    }

    Curve where(String field, String value) {
        Map<String, String> all = new HashMap<>(where);
        all.put(field, value);
        return new Curve(label, runs, all, quantity);
    }

    boolean isOurs() {
        return label.startsWith(OURS);
    }
}
