package org.sluice.hybrid.handler;

import java.util.ArrayList;
import java.util.List;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.RequestState;

/**
 * The calls of {@code Handlers.serve}, and what ends them. <i>Thread</i>: under the progress lock. <i>Proof</i>:
 * {@code HandlerCases}.
 */
final class ServingCalls {
    private final List<Completion> open = new ArrayList<>();
    private boolean stopAsked;

    /**
     * @param over why none can begin, or null
     * @return the end of a call, or null where it has come already
     */
    Completion begin(Failure over) {
        if (stopAsked) {
            stopAsked = false;
            return null;
        }
        Completion end = Completion.reusable(null);
        open.add(end);
        if (over != null) {
            fail(over);
        }
        return end;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Ends all, or where there is none the next. */
    void stop() {
        stopAsked = open.isEmpty();
        for (Completion each : open) {
            each.succeed(RequestState.HANDLER_CONTEXT, -1, -1, 0, 1);
        }
        open.clear();
    }

    void fail(Failure failure) {
        for (Completion each : open) {
            each.fail(failure, RequestState.HANDLER_CONTEXT, -1, -1, 0, 1);
        }
        open.clear();
    }
}
