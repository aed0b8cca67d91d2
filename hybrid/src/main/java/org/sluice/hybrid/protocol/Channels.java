package org.sluice.hybrid.protocol;

import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;

/**
 * The channels of one device, as a round of progress sees them.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: the device conformance suite.
 */
final class Channels {
    private final Channel[] all;
    private final ChannelListener listener;
    private int next;

    Channels(Channel[] all, ChannelListener listener) {
        this.all = all;
        this.listener = listener;
    }

    /** Ends with the channel that brought something, so that its message waits for no other; the next round begins behind it. */
    int poll(int limit) {
        int done = 0;
        for (int left = all.length; left > 0 && done == 0; left--) {
            int at = next;
            next = at + 1 < all.length ? at + 1 : 0;
            done = all[at].poll(listener, limit);
        }
        return done;
    }

    boolean prepareSleep() {
        boolean isPrepared = true;
        for (Channel channel : all) {
            isPrepared &= channel.prepareSleep();
        }
        return isPrepared;
    }

    void arm() {
        for (Channel channel : all) {
            channel.arm();
        }
    }

    void checkPeers() {
        for (Channel channel : all) {
            channel.checkPeers(listener);
        }
    }
}
