package org.sluice.ib.queue;

/** Where packets lie that have come, until they were handed up. Under the progress lock. */
public interface PacketPlace {
    /** The packet in this slot was handed up. */
    void release(int slot);
}
