package org.sluice.ib;

import org.sluice.device.channel.ChannelListener;

/** Takes what comes while the channel closes. */
final class Nobody implements ChannelListener {
    @Override
    public void onPacket(int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
        // Nobody is left who could receive it.
    }

    @Override
    public void onGetDone(Object ticket, boolean ok) {
        // Its receive has ended before the channel closes.
    }

    @Override
    public void onLentBack(Object ticket, boolean ok) {
        // Its send has ended before the channel closes.
    }

    @Override
    public void onPeerFailed(int peer, boolean corrupt, String reason) {
        // It needs nothing any more.
    }
}
