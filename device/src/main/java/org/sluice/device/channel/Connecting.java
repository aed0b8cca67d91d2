package org.sluice.device.channel;

import org.sluice.device.SluiceException;

/**
 * A channel that makes a connection to a peer when one of the two first sends to the other. A packet that found no room
 * may wait for that, and so for this rank's own progress: the device goes on by itself, although no call of the program
 * may follow.
 *
 * <p><i>Proof</i>: {@code UnmetPeerTest}, {@code ConnectTest}, {@code LostAtCloseTest}.
 */
public interface Connecting {
    /**
     * Whether a packet to this peer would be the first between the two, and cost a connection that nobody has begun to
     * make. Any thread; a hint.
     */
    boolean isUnmet(int peer);

    /**
     * This rank closes, and somebody else has told this peer so: where it {@link #isUnmet} no connection is made any
     * more, and one that the peer asks for is refused as by a rank that has closed. Under the progress lock.
     *
     * @return whether that is so; else it has to be sent a CLOSE
     */
    boolean leaveUnmet(int peer);

    /**
     * Whether room for a packet to this peer comes where this rank has stopped polling: by the peer's progress alone,
     * or once a connection is made. Under the send lock. Of channels without connections it always does.
     */
    boolean makesRoomUnpolled(int peer);

    /**
     * After {@link Channel#close}: why what was sent to a peer last may not have arrived, although the peer has neither
     * closed nor ended; null where it has arrived, or needn't.
     */
    SluiceException undelivered(int peer);
}
