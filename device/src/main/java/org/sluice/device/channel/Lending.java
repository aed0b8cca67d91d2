package org.sluice.device.channel;

/**
 * A channel that sends EAGER packets out of the program's memory, without a copy.
 *
 * <p><i>Thread</i>: {@link #lend} under the peer's send lock, the rest any. <i>Proof</i>: {@code UncopiedCases}.
 */
public interface Lending {
    /** The packet is on its way, and the memory is the channel's until {@link ChannelListener#onLentBack}. */
    int LENT = 1;

    /** Not out of this memory, or not now; {@link Channel#trySend} copies it. Nothing was sent. */
    int BY_COPY = -3;

    /**
     * The measured length of a message from which on {@link #lend} costs less than the copy; above
     * {@link Channel#eagerLimitBytes} it never does.
     */
    int lendFromBytes();

    /** As {@link #lendFromBytes}, for a sender that waits until it has its memory back. */
    int lendAndWaitFromBytes();

    /**
     * Sends one EAGER packet, as {@link Channel#trySend}: the memory is read until {@link ChannelListener#onLentBack},
     * or until {@link Channel#disconnect} has returned.
     *
     * @param owner of the memory, as in {@link Reading#describe}; what makes its memory last is the caller's business
     *     until then
     * @param into gets the lease where this returns {@link #LENT}: it goes to {@link Reading#release} at the end
     * @param ticket what {@link ChannelListener#onLentBack} is told
     * @return {@link #LENT}, {@link #BY_COPY}, {@link Channel#NO_RESOURCE} or {@link Channel#PEER_FAILED}
     */
    int lend(
            int peer,
            int contextId,
            int tag,
            Object owner,
            long address,
            int bytes,
            RemoteReference into,
            Object ticket);
}
