package org.sluice.hybrid.receive;

import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.Keeping;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.Sharing;
import org.sluice.hybrid.route.Route;

/** What a receiver has of one peer. <i>Thread</i>: under the progress lock. */
public final class Source {
    /** A sender learns at every quarter of its smallest share, at the latest, what became of its eager messages. */
    private static final long RELEASE_STEP_LIMIT = 256 << 10;

    public final Route route;
    public final Endpoint endpoint;
    /** Null where every packet that waits is copied. */
    public final Keeping keeping;

    private final Sharing sharing;
    /** Eager bytes that have left this rank's memory, and of which the peer was not told yet. */
    long unreleased;

    private long released;
    /**
     * Messages of this peer that have come, and their bytes; beside {@link #unreleased}, which each of them writes too.
     */
    public long messages;

    public long bytes;

    /** From how many {@link #unreleased} bytes on the peer is told. */
    final long releaseStep;

    private Source(Route route, long releaseStep) {
        this.route = route;
        this.endpoint = route.endpoint();
        this.keeping = route.abilities().keeping;
        this.sharing = route.abilities().sharing;
        this.releaseStep = releaseStep;
    }

    /** @param shareBytes of the memory for eager messages, of the rank that has the smallest */
    public static Source[] of(Route[] routes, long shareBytes) {
        Source[] sources = new Source[routes.length];
        for (int peer = 0; peer < routes.length; peer++) {
            sources[peer] = new Source(routes[peer], Math.min(shareBytes / 4, RELEASE_STEP_LIMIT));
        }
        return sources;
    }

    /** As {@link Keeping#keep}. */
    boolean keep(long address) {
        return keeping != null && keeping.keep(address);
    }

    /** As {@link Sharing#lostMemory}. */
    String lostMemory() {
        return sharing == null ? null : sharing.lostMemory();
    }

    /** As {@link Sharing#addressInPlace}. */
    long addressInPlace(RemoteReference from, long messageBytes) {
        return sharing == null ? 0 : sharing.addressInPlace(route.peer(), from, messageBytes);
    }

    public void came(long messageBytes) {
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
