package org.sluice.device.channel;

/**
 * A channel that copies long messages out of their senders' memory, or has them written there ({@link Writing}).
 *
 * <p><i>Thread</i>: {@link #describe} under the peer's send lock, {@link #release} under that, the progress lock or
 * none, the rest under the progress lock. <i>Proof</i>: {@code GetCases}.
 */
public interface Reading {
    /**
     * Says how {@code peer} could read these bytes by itself, or that this rank can {@link Writing#put} them. What it
     * takes for that lasts until {@link #release} of the reference's lease.
     *
     * @param owner what the memory belongs to, where {@code base} is null:
     *     {@link org.sluice.device.buffer.MemoryOwner#of}
     * @return false, with {@code into} cleared, when they must be streamed
     */
    boolean describe(int peer, Object owner, Object base, long address, long bytes, RemoteReference into);

    /**
     * Nobody reads any longer what was described with this lease, lent with it ({@link Lending#lend}), or made ready
     * ({@link RemoteSlots#source}).
     */
    void release(Object lease);

    /** The measured best length of one {@link #get} of what this names, and the most that it takes. */
    int getBytes(RemoteReference from);

    /**
     * Copies bytes out of a peer's memory, at once or by and by. Several may be on the way, to one destination and to
     * several. Where it throws, this one is not.
     *
     * @param owner of the destination's memory, where {@code base} is null, as in {@link #describe}; kept until the end
     * @param ticket what {@link ChannelListener#onGetDone} is told
     * @param bytes at most {@link #getBytes}
     * @return {@link GetResult#BY_PUT} only of the whole message
     */
    GetResult get(
            int peer,
            RemoteReference from,
            long offset,
            Object owner,
            Object base,
            long address,
            int bytes,
            Object ticket);

    /**
     * Whether it depends on the machine if {@link #get} or a stream is the faster way of what this names, and a
     * constant can't tell: who receives several such messages tries both.
     */
    default boolean isGetOnTrial(RemoteReference from) {
        return false;
    }
}
