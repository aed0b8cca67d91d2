package org.sluice.hybrid.handler;

/**
 * The ranks whose message may be handled, each once, in the order in which that came up. Numbers and not their lanes,
 * as a reference stored at each message would cost the collector's barrier.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code DueLanesTest}.
 */
final class DueLanes {
    static final int NONE = -1;

    private final int[] sources;
    private int first;
    private int size;

    DueLanes(int ranks) {
        sources = new int[ranks];
    }

    /** @param source one that is not in here */
    void add(int source) {
        sources[at(size++)] = source;
    }

    private int at(int index) {
        int at = first + index;
        return at < sources.length ? at : at - sources.length;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** @return the first, which is in here no more; or {@link #NONE} */
    int poll() {
        if (size == 0) {
            return NONE;
        }
        int source = sources[first];
        first = at(1);
        size--;
        return source;
    }

    /**
     * Takes this one out, if it is the last.
     *
     * @return whether it was
     */
    boolean removeLast(int source) {
        if (size == 0 || sources[at(size - 1)] != source) {
            return false;
        }
        size--;
        return true;
    }

    void clear() {
        size = 0;
    }
}
