package org.sluice.ib.connect;

/** Where a connection to a peer stands. Each says when it is entered and when it is left. */
public enum ConnectionState {
    /** Entered at open; left when somebody sends, or when the peer asks. */
    IDLE,
    /**
     * Entered when a sender finds IDLE, or when an attempt is to be repeated; left when the helper begins, after a
     * pause if it was tried before.
     */
    WANTED,
    /** Entered when the address is asked for; left when address and route are known, or with an error. */
    RESOLVING,
    /** Entered when the request is sent; left by the answer. */
    CONNECTING,
    /** Entered when the peer's request was accepted; left when the connection manager says that it stands. */
    ACCEPTING,
    /** Entered when both asked at once and the peer's request is the one that counts; left when that comes. */
    CROSSED,
    /** Entered when packets may flow; left by failure or disconnect. */
    READY,
    /** Entered by failure; left when it was told, after the last packet of the peer. */
    FAILED,
    /** Entered when nothing is to be told any more; never left. */
    OVER;

    public boolean isDead() {
        return this == FAILED || this == OVER;
    }
}
