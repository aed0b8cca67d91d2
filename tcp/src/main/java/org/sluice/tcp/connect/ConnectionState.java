package org.sluice.tcp.connect;

/** Where a connection stands; {@link Connector} moves it. */
public enum ConnectionState {
    /** Nobody has sent to the peer. */
    IDLE,
    /** To be made, or to be tried again after a pause. */
    WANTED,
    /** This rank dials. */
    DIALING,
    /** The peer has dialled, and was told so; nothing goes before all of that has left. */
    ACCEPTING,
    /** Packets flow. */
    READY,
    /** Ended, and not told yet. */
    FAILED,
    /** Ended, and nothing is told of it any more. */
    OVER;

    public boolean isDead() {
        return compareTo(FAILED) >= 0;
    }
}
