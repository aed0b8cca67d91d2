package org.sluice.hybrid.device;

import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.route.Route;

/**
 * One message to several ranks, straight to each. A tree of ranks would take fewer steps, but who relays would have to
 * make progress, its death would cut others off, and a message that came by others would not be in order with what its
 * source sends by itself.
 *
 * <p><i>Thread</i>: its caller's. <i>Fails</i>: with the first failure, once all others have been sent to.
 * <i>Proof</i>: {@code BroadcastCases}.
 */
final class Broadcast {
    private final SendCalls sends;
    /** Those that it has gone to are null. */
    private final Route[] routes;

    private final int tag;
    private final int contextId;
    private RuntimeException first;

    Broadcast(SendCalls sends, Route[] routes, int contextId, int tag) {
        this.sends = sends;
        this.routes = routes;
        this.tag = tag;
        this.contextId = contextId;
    }

    /** What has room goes; the rest is begun before any is waited for. */
    void send(Object message, long offset, long bytes) {
        if (trySend(message, offset, bytes)) {
            return;
        }
        Request[] begun = new Request[routes.length];
        for (int i = 0; i < routes.length; i++) {
            try {
                begun[i] = routes[i] == null
                        ? null
                        : sends.isend(routes[i], message, offset, bytes, contextId, tag, false);
            } catch (RuntimeException e) {
                failed(e);
            }
        }
        // The buffer is the program's when this returns, in whatever way.
        Status status = new Status();
        for (Request request : begun) {
            try {
                if (request != null) {
                    request.waitFor(status);
                }
            } catch (SluiceException e) {
                failed(e);
            }
        }
        throwFirst();
    }

    /** @return whether it has gone to all */
    boolean trySend(Object message, long offset, long bytes) {
        boolean toAll = true;
        for (int i = 0; i < routes.length; i++) {
            if (sends.trySend(routes[i], message, offset, bytes, contextId, tag)) {
                routes[i] = null;
            } else {
                toAll = false;
            }
        }
        return toAll;
    }

    /** How many it has not gone to. */
    int left() {
        int left = 0;
        for (Route route : routes) {
            left += route == null ? 0 : 1;
        }
        return left;
    }

    /**
     * Doesn't wait: the rest goes when there is room.
     *
     * @param copy freed at the end of the last, also where sends fail
     */
    void sendCopy(MessageMemory copy, long bytes) {
        // One is this call's.
        AtomicInteger uses = new AtomicInteger(1);
        Runnable afterwards = () -> {
            if (uses.decrementAndGet() == 0) {
                copy.close();
            }
        };
        try {
            for (Route route : routes) {
                if (route != null) {
                    uses.incrementAndGet();
                    sendCopy(route, copy, bytes, afterwards);
                }
            }
        } finally {
            afterwards.run();
        }
        throwFirst();
    }

    private void sendCopy(Route route, MessageMemory copy, long bytes, Runnable afterwards) {
        try {
            Completion completion = sends.isendUnseen(route, copy, bytes, contextId, tag, afterwards);
            if (completion.isReached()) {
                completion.result(new Status());
            } else {
                sends.goesOn(completion);
            }
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void failed(RuntimeException e) {
        first = first == null ? e : first;
    }

    private void throwFirst() {
        if (first != null) {
            throw first;
        }
    }
}
