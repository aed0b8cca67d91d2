package org.sluice.device.channel;

/** What a channel tells upwards; called by whoever runs {@link Channel#poll}, under the progress lock. */
public interface ChannelListener {
    /**
     * A packet has arrived. The body may be read until the call returns and no longer, unless {@link Keeping#keep} says
     * so.
     *
     * @param address absolute address of the body
     * @param reference the object that was sent along by a peer of this JVM, else null
     */
    void onPacket(int peer, int kind, int contextId, int tag, long address, int bytes, Object reference);

    /**
     * A {@link Reading#get} that was {@link GetResult#STARTED} has ended: the channel writes to its destination no
     * more.
     *
     * @param ok false when the bytes are not there; {@link #onPeerFailed} then tells why
     */
    default void onGetDone(Object ticket, boolean ok) {
        throw new IllegalStateException("a get has ended later, which nobody here has started: " + ticket);
    }

    /**
     * A {@link Writing#put} that was {@link PutResult#STARTED} has ended: the channel reads its source no more.
     *
     * @param ok false when the bytes may not be there; {@link #onPeerFailed} then tells why
     */
    default void onPutDone(Object ticket, boolean ok) {
        throw new IllegalStateException("a put has ended, which nobody here has started: " + ticket);
    }

    /**
     * The memory of a packet that was {@link Lending#LENT} is read no more.
     *
     * @param ok false when the packet may not have arrived; {@link #onPeerFailed} then tells why
     */
    default void onLentBack(Object ticket, boolean ok) {
        throw new IllegalStateException("memory came back, which nobody here has lent: " + ticket);
    }

    /**
     * The peer has closed without a CLOSE ({@link Connecting#leaveUnmet}): it never sent anything. In place of
     * {@link #onPeerFailed}.
     */
    default void onPeerClosed(int peer) {
        onPeerFailed(peer, false, "it has closed its device");
    }

    /** The peer died ({@code corrupt} false) or wrote what no Sluice writes; told once. */
    void onPeerFailed(int peer, boolean corrupt, String reason);
}
