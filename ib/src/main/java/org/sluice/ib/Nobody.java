package org.sluice.ib;

import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.PacketKind;
import org.sluice.ib.connect.Connection;

/** Takes what comes while the channel closes. */
final class Nobody implements ChannelListener {
    private final Connection[] connections;

    Nobody(Connection[] connections) {
        this.connections = connections;
    }

    /** Nobody is left who could receive it. */
    @Override
    public void onPacket(int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
        if (kind == PacketKind.CLOSE) {
            connections[peer].leave();
        }
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
        // Close asks for it: IbChannel.undelivered.
    }
}
