package org.sluice.device.channel;

/**
 * What a channel does for persistent routes: memory of this rank that one peer may write to for long, and writes into
 * such memory of peers.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Lends</i>: to a peer, the memory between {@link #lend} and
 * {@link #takeBack}; {@link Channel#disconnect} ends the peer's writes, not the memory. <i>Fails</i>: as
 * {@link Channel}. <i>Proof</i>: {@code RouteMemoryRxeTest}.
 */
public interface RemoteSlots {
    /**
     * Allocates zeroed memory that this peer may write to; it begins at a page.
     *
     * @param into key and address for the peer, where the address is good in this process too, and the lease
     * @return false, with nothing changed, where it can't be had
     */
    boolean lend(int peer, long bytes, RemoteReference into);

    /** Frees what was lent. The peer has said that it writes there no more, or was disconnected. */
    void takeBack(int peer, Object lease);

    /** Whether a reference that came from a peer has the form of one that {@link #lend} fills in there. */
    boolean isLent(RemoteReference to, long bytes);

    /** Longest {@link #write} that holds up what is sent behind it no longer than others may have to wait. */
    int pieceBytes();

    /** Whether {@link #write} would take one more write to this peer now. */
    boolean hasRoom(int peer);

    /**
     * Makes memory of this rank ready to be written from, until {@link Reading#release} of the lease.
     *
     * @param owner as in {@link Reading#describe}
     * @return false, with {@code into} cleared, where it can't be: the bytes have to be copied into memory that can
     */
    boolean source(Object owner, long address, long bytes, RemoteReference into);

    /**
     * Writes to memory that the peer lent, in one work request. A packet that is sent after this call arrives after the
     * bytes.
     *
     * @param from what {@link #source} filled in
     * @param to for which {@link #isLent} was true
     * @param ticket what {@link ChannelListener#onPutDone} is told once it has begun
     * @return false where there is no room now, or the connection has failed
     */
    boolean write(
            int peer, RemoteReference from, long address, long bytes, RemoteReference to, long offset, Object ticket);
}
