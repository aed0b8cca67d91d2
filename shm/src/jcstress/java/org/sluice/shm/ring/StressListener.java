package org.sluice.shm.ring;

import org.sluice.device.channel.ChannelListener;
import org.sluice.device.memory.Memory;

/** Counts packets and looks at their bodies; a stress test's body is the same 64-bit word over and over. */
final class StressListener implements ChannelListener, RingFailures {
    int packets;
    int failures;
    long first;
    long last;
    int tag;

    @Override
    public void onPacket(int peer, int kind, int contextId, int packetTag, long address, int bytes, Object reference) {
        packets++;
        tag = packetTag;
        first = Memory.getLong(address);
        last = Memory.getLong(address + bytes - Long.BYTES);
    }

    @Override
    public void onPeerFailed(int peer, boolean corrupt, String reason) {
        failures++;
    }

    @Override
    public void onRingCorrupt(int peer, String reason, ChannelListener listener) {
        failures++;
    }
}
