package org.sluice.hybrid.protocol;

import java.util.function.LongSupplier;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;

/**
 * The channels of one device, as a round of progress sees them.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code ChannelsTest}, the device conformance suite.
 */
final class Channels {
    private final Channel[] all;
    private final ChannelListener listener;
    /** Null where no poll is costly. */
    private final Paces paces;

    private int next;

    Channels(Channel[] all, ChannelListener listener) {
        this(all, listener, null);
    }

    /** @param clock null for the system's */
    Channels(Channel[] all, ChannelListener listener, LongSupplier clock) {
        this.all = all;
        this.listener = listener;
        this.paces = Paces.of(all, clock);
    }

    /**
     * Ends with the channel that brought something, so that its message waits for no other; the next round begins
     * behind it.
     */
    int poll(int limit) {
        if (paces != null) {
            return pollPaced(limit);
        }
        int done = 0;
        for (int left = all.length; left > 0 && done == 0; left--) {
            int at = next;
            next = at + 1 < all.length ? at + 1 : 0;
            done = all[at].poll(listener, limit);
        }
        return done;
    }

    /** As {@link #poll}, but leaves out those that are to be polled later. */
    private int pollPaced(int limit) {
        int done = 0;
        next = paces.begin(next);
        for (int left = all.length; left > 0 && done == 0; left--) {
            int at = next;
            next = at + 1 < all.length ? at + 1 : 0;
            if (paces.isDue(at)) {
                done = all[at].poll(listener, limit);
                paces.polled(at, done);
            }
        }
        return done;
    }

    /** The next round leaves out none. */
    void pollAllNext() {
        if (paces != null) {
            paces.reset();
        }
    }

    boolean prepareSleep() {
        pollAllNext();
        boolean isPrepared = true;
        for (Channel channel : all) {
            isPrepared &= channel.prepareSleep();
        }
        return isPrepared;
    }

    void arm() {
        pollAllNext();
        for (Channel channel : all) {
            channel.arm();
        }
    }

    void checkPeers() {
        pollAllNext();
        for (Channel channel : all) {
            channel.checkPeers(listener);
        }
    }
}
