package org.sluice.hybrid.request;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Collects the requests that are not over: as many as are asked for and, beside them, all that a thread waits for.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code InFlightTest}.
 */
public final class InFlight {
    private final int most;
    private final Function<Completion, String> threads;
    private final List<RequestState> listed = new ArrayList<>();
    private long count;

    /** @param threads that wait for a completion, in words; empty where none does */
    public InFlight(int most, Function<Completion, String> threads) {
        this.most = most;
        this.threads = threads;
    }

    /** @param completion null where no program waits for it */
    public void add(String what, int peer, int tag, int contextId, long bytes, String state, Completion completion) {
        count++;
        String waiting = completion == null ? "" : threads.apply(completion);
        if (listed.size() < most || !waiting.isEmpty()) {
            listed.add(new RequestState(what, peer, tag, contextId, bytes, state, waiting));
        }
    }

    public List<RequestState> listed() {
        return List.copyOf(listed);
    }

    /** Those that are not listed, too. */
    public long count() {
        return count;
    }
}
