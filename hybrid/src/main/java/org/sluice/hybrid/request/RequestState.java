package org.sluice.hybrid.request;

import org.sluice.device.Device;

/**
 * One request that is not over, as somebody sees it who looks inside. Immutable.
 *
 * @param what send, receive or probe
 * @param peer the other rank, or ANY_SOURCE
 * @param bytes of the message or, of a receive that nothing has matched, its room
 * @param state what it waits for
 * @param threads that wait for it, coroutines and futures, and since when where that is known; empty where none does
 */
public record RequestState(String what, int peer, int tag, int contextId, long bytes, String state, String threads) {
    /** That of the messages of a barrier, whose tags are its rounds. */
    public static final int BARRIER_CONTEXT = -1;

    /** That of messages that call a handler, whose tags are the handlers' ids. */
    public static final int HANDLER_CONTEXT = -2;

    /** The first of those of a layer above, which counts its own from 0 on; the others are below it. */
    public static final int LAYER_CONTEXT = -16;

    /** What a message is matched by but its source, in words. */
    public static String envelope(int tag, int contextId) {
        if (contextId <= LAYER_CONTEXT) {
            return (tag == Device.ANY_TAG ? "any tag" : "tag " + tag) + ", context " + (LAYER_CONTEXT - contextId)
                    + " of communicators";
        }
        if (contextId == HANDLER_CONTEXT) {
            return "a message to handler " + tag;
        }
        return contextId == BARRIER_CONTEXT
                ? "round " + tag + " of a barrier"
                : (tag == Device.ANY_TAG ? "any tag" : "tag " + tag)
                        + (contextId == Device.DEFAULT_CONTEXT ? "" : ", context " + contextId);
    }

    /** In one line. */
    public String text() {
        return what + (what.equals("send") ? " to " : " from ")
                + (peer == Device.ANY_SOURCE ? "any rank" : "rank " + peer) + ", " + envelope(tag, contextId) + ", "
                + bytes + " bytes: " + state + (threads.isEmpty() ? "" : "; " + threads);
    }
}
