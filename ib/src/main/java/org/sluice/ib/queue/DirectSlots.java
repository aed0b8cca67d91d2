package org.sluice.ib.queue;

/**
 * Memory of a peer that packets may be written to, instead of being sent to its receive slots.
 *
 * <p><i>Thread</i>: under the peer's send lock, {@link #toTell} any.
 */
public interface DirectSlots {
    /** Whether what is written takes a receive slot of the peer all the same. */
    boolean needsCredit();

    /** Bytes that are written beyond those of the packet, at most. */
    int mostMore();

    /** Whether a packet of this length could be written now, as far as can be seen from outside. */
    boolean mayEnter(int packetBytes);

    /**
     * Begins to write a packet.
     *
     * @return false where it can't be written; else {@link #fill} and {@link #leave} follow
     */
    boolean enter(int packetBytes);

    /** Makes the work request; may write to the words behind the packet. */
    void fill(WorkRequest request, long id, int flags, long packet, int packetBytes, int lkey);

    /** @param isPosted false where the library refused it and nothing is on the way */
    void leave(boolean isPosted);

    /** What the next packet to the peer has to say of this rank's own such memory. */
    int toTell();
}
