package org.sluice.device.channel;

/**
 * A channel of which a {@link Channel#poll} that finds nothing takes as long as many of a channel in memory: while
 * others bring more it is called less often. <i>Thread</i>: under the progress lock. <i>Proof</i>:
 * {@code ChannelsTest}.
 */
public interface Pacing {
    /**
     * Whether the next {@link Channel#poll} has something to do for this rank itself, so that it is not to be put off.
     */
    boolean wantsPoll();
}
