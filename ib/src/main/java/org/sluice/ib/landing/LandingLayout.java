package org.sluice.ib.landing;

import org.sluice.ib.wire.PacketHeader;

/**
 * Where things lie in a landing ring, the same at both ends.
 *
 * <pre>
 *   slot:  | what former laps left | header | body | 0 to 7 bytes | mark 8 |
 *                                  '---- one RDMA write, of whole words ---'
 *   mark:  number of the packet in this ring, from 1 (upper 32 bits) | bytes of header and body (lower 32 bits)
 * </pre>
 *
 * Every write ends with its slot, so nothing but marks is ever written to where the mark is looked for, and each lap's
 * has another number: what lies there is the mark that is waited for, the one of the lap before, or the zero that the
 * ring began with. No number is used twice within 2^32 packets, and a slot remembers only its last.
 */
public final class LandingLayout {
    /** A power of two. */
    public static final int SLOTS = 64;

    public static final int MARK_BYTES = 8;

    /**
     * Longest slot: with the smallest MTU that verbs usually have, a slot is written by one packet of the network,
     * whose bytes nothing can come between.
     */
    private static final int MOST_SLOT_BYTES = 1024;

    private static final int ALIGNMENT = 64;
    /** A bundle of one begins so far into its send slot at most: Bundle.ENVELOPE_BYTES. */
    private static final int LATE_START = 16;

    private final int slotBytes;

    /** @param sendSlotBytes length of the slots that packets are sent from */
    public LandingLayout(int sendSlotBytes) {
        slotBytes = Math.min(MOST_SLOT_BYTES, sendSlotBytes - LATE_START & -ALIGNMENT);
    }

    public int slotBytes() {
        return slotBytes;
    }

    long ringBytes() {
        return (long) SLOTS * slotBytes;
    }

    /** Whether a packet of this length, header and body, fits into a slot. */
    boolean fits(int packetBytes) {
        return packetBytes >= PacketHeader.BYTES && packetBytes <= slotBytes - MARK_BYTES;
    }

    /** What a packet takes of its slot without the mark: whole words. */
    static int span(int packetBytes) {
        return packetBytes + Long.BYTES - 1 & -Long.BYTES;
    }

    static long mark(int number, int packetBytes) {
        return (long) number << Integer.SIZE | packetBytes & 0xFFFFFFFFL;
    }

    static int number(long mark) {
        return (int) (mark >>> Integer.SIZE);
    }

    static int packetBytes(long mark) {
        return (int) mark;
    }

    /** Where the mark of the packet with this number is, from the beginning of the ring. */
    long markAt(int number) {
        return ((number - 1 & SLOTS - 1) + 1L) * slotBytes - MARK_BYTES;
    }

    /** Where the header of the packet with this number is, from the beginning of the ring. */
    long packetAt(int number, int packetBytes) {
        return markAt(number) - span(packetBytes);
    }
}
