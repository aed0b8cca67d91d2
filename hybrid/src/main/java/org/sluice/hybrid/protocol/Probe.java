package org.sluice.hybrid.protocol;

import org.sluice.device.Device;
import org.sluice.hybrid.request.Completion;

/** Somebody waits until a message is there. Under the progress lock. */
public final class Probe {
    final int contextId;
    final int source;
    final int tag;
    /** A matched probe takes the message out of the queue. */
    final boolean taking;
    final Completion completion;
    /** What a matched probe took. */
    StoredMessage taken;

    public Probe(int contextId, int source, int tag, boolean taking, Completion completion) {
        this.contextId = contextId;
        this.source = source;
        this.tag = tag;
        this.taking = taking;
        this.completion = completion;
    }

    public Completion completion() {
        return completion;
    }

    boolean accepts(StoredMessage message) {
        return message.contextId == contextId && (source == Device.ANY_SOURCE || source == message.source)
                && (tag == Device.ANY_TAG || tag == message.tag);
    }
}
