package org.sluice.hybrid.request;

import org.sluice.device.Device;

/**
 * One request that is not over, as somebody sees it who looks inside. Immutable.
 *
 * @param what send, receive or probe
 * @param envelope whose source is the other rank, also of a send
 * @param bytes of the message or, of a receive that nothing has matched, its room
 * @param state what it waits for
 * @param threads that wait for it, coroutines and futures, and since when where that is known; empty where none does
 */
public record RequestState(String what, Envelope envelope, long bytes, String state, String threads) {
    /** That of the messages of a barrier, whose tags are its rounds. */
    public static final int BARRIER_CONTEXT = -1;

    /** That of messages that call a handler, whose tags are the handlers' ids. */
    public static final int HANDLER_CONTEXT = -2;

    /** The first of those of a layer above, which counts its own from 0 on; the others are below it. */
    public static final int LAYER_CONTEXT = -16;

    /** In one line. */
    public String text() {
        return what + (what.equals("send") ? " to " : " from ")
                + (envelope.source() == Device.ANY_SOURCE ? "any rank" : "rank " + envelope.source()) + ", "
                + envelope.text() + ", "
                + bytes + " bytes: " + state + (threads.isEmpty() ? "" : "; " + threads);
    }
}
