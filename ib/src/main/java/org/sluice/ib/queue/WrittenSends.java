package org.sluice.ib.queue;

import org.sluice.device.memory.Memory;
import org.sluice.ib.wire.PacketHeader;

/**
 * Which packets of a connection are written to memory of the peer instead of being sent, where the peer has some for
 * that.
 *
 * <p><i>Thread</i>: as {@link DirectSlots}; where they are is said before the connection is ready. <i>Proof</i>:
 * {@code WrittenSendsTest}.
 */
final class WrittenSends {
    /** Null where there is nothing of the kind. */
    private DirectSlots slots;

    void to(DirectSlots slotsOfPeer) {
        slots = slotsOfPeer;
    }

    /** What is written may be longer than its packet by so much. */
    int mostMore() {
        return slots == null ? 0 : slots.mostMore();
    }

    /** Whether a packet can be written now, as far as can be seen from outside, and then takes no receive slot. */
    boolean needsNoCredit(int kind, int packetBytes) {
        return mayWrite(kind) && takesNoCredit() && slots.mayEnter(packetBytes);
    }

    /** Of one that was begun. */
    boolean takesNoCredit() {
        return !slots.needsCredit();
    }

    /**
     * Begins to write a packet.
     *
     * @return false where it is to be sent; else {@link #fill} and {@link #leave} follow
     */
    boolean enter(int kind, int packetBytes) {
        return mayWrite(kind) && slots.enter(packetBytes);
    }

    /** Where writes need credit, completions tell of them. */
    private boolean mayWrite(int kind) {
        return slots != null && (slots.needsCredit() || !PacketHeader.needsCompletion(kind));
    }

    void fill(WorkRequest request, long id, int flags, long packet, int packetBytes, int lkey) {
        slots.fill(request, id, flags, packet, packetBytes, lkey);
    }

    void leave(boolean isPosted) {
        slots.leave(isPosted);
    }

    /** Writes {@link PacketHeader#LANDED}. */
    void tell(long packet) {
        if (slots != null) {
            Memory.putInt(packet + PacketHeader.LANDED, slots.toTell());
        }
    }

    int toTell() {
        return slots == null ? 0 : slots.toTell();
    }
}
