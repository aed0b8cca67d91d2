package org.sluice.hybrid.receive;

import org.sluice.hybrid.request.Failure;

/** Where messages for handlers go, instead of being stored. <i>Thread</i>: under the progress lock. */
public interface ForHandlers {
    /**
     * A message that came eagerly, and can't stay where it is.
     *
     * @return false where it has to be stored
     */
    boolean takeShort(int source, int id, long address, int bytes);

    void arrived(StoredMessage message);

    /** What came of this peer, and was not all there, is now, or will never be. */
    void goOn(int source);

    /** As {@code Exchange.lookFor}, for one who serves. */
    int look();

    /** How many packets the next round should take on their account. */
    int packetsWanted();

    /** At the end of a round: messages that were on their way may be there. */
    void noticeFetched();

    /** Whether a call serves handlers of which none runs, nor will by what has come so far. */
    boolean isServingNothing();

    /** Nothing is handled any more. */
    void end(Failure failure);
}
