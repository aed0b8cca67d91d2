package org.sluice.device.channel;

/**
 * A channel that can write long messages into their receivers' memory.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code PutCases}.
 */
public interface Writing {
    /**
     * Lets a peer write to this memory, until {@link #takeBack}. Meanwhile the memory is the peer's, who may write to
     * it at any time, until it says that it is done or {@link Channel#disconnect} has returned.
     *
     * @param owner as in {@link Reading#get}
     * @param into what the peer needs to know, and the lease
     * @return false, with nothing changed, when it can't: the peer has to stream the bytes
     */
    boolean offer(int peer, Object owner, Object base, long address, long bytes, RemoteReference into);

    /** The peer writes no longer to what was offered with this lease, or was disconnected. */
    void takeBack(int peer, Object lease);

    /** The measured best length of one {@link #put}, and the most that it takes. */
    int putBytes();

    /**
     * Begins to write to memory that a peer offered. Several may be on the way, to one peer and to several. A packet
     * that is sent after this call arrives after the bytes.
     *
     * @param from what {@link Reading#describe} filled in for all of the message; its lease lasts until after the end
     *     of this
     * @param address of these bytes, inside of what was described
     * @param bytes at most {@link #putBytes}
     * @param to what the peer's {@link #offer} filled in
     * @param offset where they go, from the beginning of what was offered
     * @param ticket what {@link ChannelListener#onPutDone} is told
     */
    PutResult put(
            int peer, RemoteReference from, long address, int bytes, RemoteReference to, long offset, Object ticket);
}
