package org.sluice.hybrid.receive;

import org.sluice.device.Device;
import org.sluice.hybrid.request.Completion;

/** Somebody waits until a message is there. Under the progress lock. */
public final class Probe {
    public final int contextId;
    public final int source;
    public final int tag;
    /**
     * Made before there is a message: from its match on it has it, whatever becomes of who waits. Null where the
     * message stays in the queue.
     */
    public final TakenMessage taker;

    public final Completion completion;

    /** @param taker null: the message stays in the queue */
    public Probe(int contextId, int source, int tag, TakenMessage taker, Completion completion) {
        this.contextId = contextId;
        this.source = source;
        this.tag = tag;
        this.taker = taker;
        this.completion = completion;
    }

    public Completion completion() {
        return completion;
    }

    /** What takes the message out of the queue, and has it once the completion has ended well; or null. */
    public TakenMessage taker() {
        return taker;
    }

    boolean accepts(StoredMessage message) {
        return message.contextId == contextId
                && (source == Device.ANY_SOURCE || source == message.source)
                && (tag == Device.ANY_TAG || tag == message.tag);
    }
}
