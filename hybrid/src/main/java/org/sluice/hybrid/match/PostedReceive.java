package org.sluice.hybrid.match;

import org.sluice.device.Device;

/**
 * A receive that can wait for its message; source and tag may be {@link Device#ANY_SOURCE} and {@link Device#ANY_TAG}.
 */
public abstract non-sealed class PostedReceive extends Matchable {
    /** Decides between receives of different patterns that match the same message: the smaller was posted first. */
    long order;

    protected PostedReceive() {}

    /** True from {@code add} until it is taken or removed. */
    public final boolean isPosted() {
        return owner != null;
    }

    final boolean accepts(int contextId, int source, int tag) {
        return this.contextId == contextId
                && (this.source == source || this.source == Device.ANY_SOURCE)
                && (this.tag == tag || this.tag == Device.ANY_TAG);
    }
}
