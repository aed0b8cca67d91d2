package org.sluice.shm.ring;

import org.sluice.device.channel.ChannelListener;

/** Told, under the progress lock, that a ring holds what no Sluice writes; the ring is closed by then. */
public interface RingFailures {
    void onRingCorrupt(int peer, String reason, ChannelListener listener);

    /** As {@link LostMemory#found}, of the memory that the rings lie in. */
    default String lostRing() {
        return null;
    }
}
