package org.sluice.hybrid.receive;

import java.util.ArrayList;
import java.util.List;
import org.sluice.hybrid.request.Failure;

/**
 * Contexts of a layer's in which nothing is received any more, and why.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code LayerTest}.
 */
public final class EndedContexts {
    private record Range(int lowest, int highest, Failure failure) {
        boolean has(int contextId) {
            return contextId >= lowest && contextId <= highest;
        }
    }

    private final List<Range> ranges = new ArrayList<>();

    /** What was said of a context first is why. */
    void add(int lowest, int highest, Failure failure) {
        ranges.add(new Range(lowest, highest, failure));
    }

    /** Null where messages go on. */
    public Failure of(int contextId) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).has(contextId)) {
                return ranges.get(i).failure;
            }
        }
        return null;
    }
}
