package org.sluice.device.channel;

/**
 * A channel out of which a receiver takes the packet that it waits for, past the listener. <i>Thread</i>: as
 * {@link Channel#poll}. <i>Proof</i>: {@code ChannelConformance}.
 */
public interface EagerTaking {
    /** As {@link Endpoint#takeEager}, of the peer's next packet. */
    long takeEager(int peer, int contextId, int tagOrAny, Object base, long address, long bytes, int elementSize);
}
