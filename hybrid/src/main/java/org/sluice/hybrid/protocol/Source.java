package org.sluice.hybrid.protocol;

import org.sluice.device.channel.Endpoint;
import org.sluice.hybrid.route.Route;

/** What a receiver has of one peer. <i>Thread</i>: under the progress lock. */
final class Source {
    final Route route;
    final Endpoint endpoint;
    /** Eager bytes that have left this rank's memory, and of which the peer was not told yet. */
    long unreleased;

    private long released;
    /**
     * Messages of this peer that have come, and their bytes; beside {@link #unreleased}, which each of them writes too.
     */
    long messages;

    long bytes;

    Source(Route route) {
        this.route = route;
        this.endpoint = route.endpoint();
    }

    void came(long messageBytes) {
        messages++;
        bytes += messageBytes;
    }

    /** @return what the peer is told now: all that ever left */
    long release() {
        released += unreleased;
        unreleased = 0;
        return released;
    }
}
