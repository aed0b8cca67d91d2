package org.sluice.hybrid.request;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Collects the requests that are not over: as many as are asked for and, beside them, all that a thread waits for, and
 * as many again of those that somebody is called back for, of whom there may be very many.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code InFlightTest}.
 */
public final class InFlight {
    private final int most;
    private final Function<Completion, String> threads;
    private final Function<Completion, String> called;
    private final List<RequestState> listed = new ArrayList<>();
    private int listedCalled;
    private long count;

    /**
     * @param threads that wait for a completion, in words; empty where none does
     * @param called who is called back for one, as well
     */
    public InFlight(int most, Function<Completion, String> threads, Function<Completion, String> called) {
        this.most = most;
        this.threads = threads;
        this.called = called;
    }

    /** @param completion null where no program waits for it */
    public void add(String what, Envelope envelope, long bytes, String state, Completion completion) {
        count++;
        String waiting = completion == null ? "" : threads.apply(completion);
        boolean isCalledBack = completion != null && completion.callback() != null;
        boolean isListed = listed.size() < most || !waiting.isEmpty();
        String others = isCalledBack && (isListed || listedCalled < most) ? called.apply(completion) : "";
        listedCalled += others.isEmpty() ? 0 : 1;
        if (isListed || !others.isEmpty()) {
            listed.add(new RequestState(
                    what,
                    envelope,
                    bytes,
                    state,
                    waiting + (waiting.isEmpty() || others.isEmpty() ? "" : ", ") + others));
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
