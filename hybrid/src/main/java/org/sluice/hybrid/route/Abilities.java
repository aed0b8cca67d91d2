package org.sluice.hybrid.route;

import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Coalescing;
import org.sluice.device.channel.Connecting;
import org.sluice.device.channel.Keeping;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.Sharing;
import org.sluice.device.channel.Writing;

/** What the channel of a route can do beside what all do, asked once; null what it can't. */
public final class Abilities {
    public final Lending lending;
    public final Coalescing coalescing;
    public final Reading reading;
    public final Writing writing;
    public final Sharing sharing;
    public final Keeping keeping;
    public final Connecting connecting;

    Abilities(Channel channel) {
        lending = channel.lending();
        coalescing = channel.coalescing();
        reading = channel.reading();
        writing = channel.writing();
        sharing = channel.sharing();
        keeping = channel.keeping();
        connecting = channel.connecting();
    }

    /** As {@link Sharing#lostMemory}. */
    public String lostMemory() {
        return sharing == null ? null : sharing.lostMemory();
    }

    /** As {@link Sharing#addressInPlace}. */
    public long addressInPlace(int peer, RemoteReference from, long bytes) {
        return sharing == null ? 0 : sharing.addressInPlace(peer, from, bytes);
    }
}
