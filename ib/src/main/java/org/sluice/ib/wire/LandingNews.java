package org.sluice.ib.wire;

import org.sluice.device.memory.Memory;

/**
 * The body of a LANDING packet: all that one end has to say of landing rings, as it stands; so a later one says all
 * that an earlier one did.
 *
 * <pre>
 *    0  address    8   of the sender's ring for the receiver of this; 0 where it has none
 *    8  rkey       4
 *   12  slots      4
 *   16  slotBytes  4
 *   20  phase      4   of that ring: 0 none, odd closed, even open; grows with each change
 *   24  agreed     4   the last odd phase of the other's ring that the sender of this has seen: it writes there no more
 *   28  reserved   4   0
 * </pre>
 */
public final class LandingNews {
    public static final int ADDRESS = 0;
    public static final int RKEY = 8;
    public static final int SLOTS = 12;
    public static final int SLOT_BYTES = 16;
    public static final int PHASE = 20;
    public static final int AGREED = 24;
    public static final int RESERVED = 28;
    public static final int BYTES = 32;
    /** Of the packet that has it. */
    public static final int PACKET_BYTES = PacketHeader.BYTES + BYTES;

    private LandingNews() {}

    /** @param at where the body begins */
    public static void writeRing(long at, long address, int rkey, int slots, int slotBytes) {
        Memory.putLong(at + ADDRESS, address);
        Memory.putInt(at + RKEY, rkey);
        Memory.putInt(at + SLOTS, slots);
        Memory.putInt(at + SLOT_BYTES, slotBytes);
    }

    public static void writePhases(long at, int phase, int agreed) {
        Memory.putInt(at + PHASE, phase);
        Memory.putInt(at + AGREED, agreed);
        Memory.putInt(at + RESERVED, 0);
    }
}
