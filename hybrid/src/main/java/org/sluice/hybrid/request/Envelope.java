package org.sluice.hybrid.request;

import org.sluice.device.Device;

/**
 * What a message is matched by, or what a receive asks for. Where it is hot it is three ints in the same order.
 *
 * @param source of the message, or {@link Device#ANY_SOURCE}; of a send that is not over, to whom it goes
 * @param tag or {@link Device#ANY_TAG}
 */
public record Envelope(int contextId, int source, int tag) {
    /** All of it but the source, in words. */
    public String text() {
        return text(contextId, tag);
    }

    /** As {@link #text()}, where there is no object. */
    public static String text(int contextId, int tag) {
        if (contextId <= RequestState.LAYER_CONTEXT) {
            return textOf(tag) + ", context " + (RequestState.LAYER_CONTEXT - contextId) + " of communicators";
        }
        if (contextId == RequestState.HANDLER_CONTEXT) {
            return "a message to handler " + tag;
        }
        return contextId == RequestState.BARRIER_CONTEXT
                ? "round " + tag + " of a barrier"
                : textOf(tag) + (contextId == Device.DEFAULT_CONTEXT ? "" : ", context " + contextId);
    }

    private static String textOf(int tag) {
        return tag == Device.ANY_TAG ? "any tag" : "tag " + tag;
    }
}
