package org.sluice.device.channel;

/**
 * A channel that sends several packets together for less than each by itself, control packets too: what several
 * messages are answered with in one round leaves together.
 *
 * <p><i>Thread</i>: under the peer's send lock, which is not released between {@link #gather} and {@link #flush}.
 * <i>Proof</i>: {@code CoalescingRxeTest}, {@code BurstTest}.
 */
public interface Coalescing {
    /**
     * Several packets for this peer come one after the other: the channel may keep some of those that it takes until
     * {@link #flush}.
     */
    void gather(int peer);

    /**
     * Sends what was kept since {@link #gather}.
     *
     * @return false where there is no room for it yet: it goes before anything else that is sent to this peer, and
     *     somebody has to call this again until it is gone. True also where the peer has failed
     */
    boolean flush(int peer);
}
