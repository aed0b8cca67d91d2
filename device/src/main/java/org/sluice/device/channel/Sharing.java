package org.sluice.device.channel;

/**
 * A channel whose ranks share memory: each reads others' memory by itself, also while they use it for something else,
 * and somebody else may take pages of it away.
 *
 * <p><i>Thread</i>: {@link #withdraw} and {@link #withdrawn} under the progress lock, the rest any. <i>Proof</i>:
 * {@code SegmentCorruptionTest}, {@code WithdrawnStress}, {@code ThreadChannelTest}.
 */
public interface Sharing {
    /** Where the peer's bytes can be read in place, as an absolute address; 0 when they can't. Checks the reference. */
    long addressInPlace(int peer, RemoteReference from, long bytes);

    /**
     * What was described to this peer so far is not the messages' any more: who is still reading it learns so, and why,
     * by {@link #withdrawn}. When this returns, the program may write to that memory. The first reason stays.
     *
     * @param why {@link Withdrawn#BY_CLOSE} or {@link Withdrawn#BY_FAILURE}
     */
    void withdraw(int peer, Withdrawn why);

    /**
     * Whether a peer withdrew what it had described, so that bytes that {@link Reading#get} copied before this call may
     * be something else's.
     */
    Withdrawn withdrawn(int peer);

    /**
     * What has become of this channel's own memory, where somebody took pages of it away and a copy of a packet, or
     * into a message buffer, that the caller made before this call may be zeros; else null. Every peer of this channel
     * fails for that reason soon.
     */
    default String lostMemory() {
        return null;
    }
}
