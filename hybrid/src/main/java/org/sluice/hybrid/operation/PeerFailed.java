package org.sluice.hybrid.operation;

/** Takes the news that a peer wrote what no Sluice writes. */
public interface PeerFailed {
    void corrupt(int peer, String reason);

    /** Its memory can't be read: because it died, perhaps. */
    void unreadable(int peer, String reason);
}
