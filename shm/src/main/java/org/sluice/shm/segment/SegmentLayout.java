package org.sluice.shm.segment;

import org.sluice.shm.ring.Doorbell;
import org.sluice.shm.ring.RingLayout;
import org.sluice.shm.ring.RingSize;

/**
 * Where everything is in a segment; docs/explanation/protocol.md draws the same and {@code SegmentLayoutTest} holds
 * both to it.
 *
 * <pre>
 *      0  magic             8   the owner writes what stands up to 128 once, before anybody knows of the file
 *      8  protocol version  4
 *     12  cells of a ring   4
 *     16  payload of a ring 4   bytes
 *     20  slots             4   rings, one for each peer
 *     24  rank              4
 *     28  job size          4
 *     32  nonce            16   random; also what the facts say
 *    128  wait word         8   the owner sleeps on it, peers ring it
 *    256  collections       8   the owner's JVM counts them, each before it moves an array; 0: not yet; peers read
 *   4096  arena extents     8   how many there are; the owner writes with release, peers read
 *   4104    offset, bytes  16   of each extent, counted from the start of the file
 *   8192  doorbell         64   for each 512 slots
 *      +  rings                 one for each slot, from a multiple of 4096 on
 *      +  arena extents         from a multiple of 4096 on, as the owner makes them
 * </pre>
 *
 * @param size of each ring
 * @param slots how many rings there are
 */
record SegmentLayout(RingSize size, int slots) {
    static final long MAGIC = 0x534c5549434553L;
    /**
     * Changes with every change of this layout, of {@link RingLayout}, of {@link SegmentFacts} or of a packet's body.
     */
    static final int PROTOCOL_VERSION = 8;

    static final int MAGIC_AT = 0;
    static final int VERSION_AT = 8;
    static final int CELLS_AT = 12;
    static final int PAYLOAD_AT = 16;
    static final int SLOTS_AT = 20;
    static final int RANK_AT = 24;
    static final int JOB_SIZE_AT = 28;
    static final int NONCE_AT = 32;
    static final int WAIT_WORD_AT = 128;
    static final int COLLECTIONS_AT = 256;
    static final int EXTENT_COUNT_AT = 4096;
    static final int EXTENTS_AT = 4104;
    static final int EXTENT_BYTES = 16;
    static final int EXTENT_LIMIT = (8192 - EXTENTS_AT) / EXTENT_BYTES;
    static final int DOORBELL_AT = 8192;
    static final int PAGE = 4096;

    long ringsAt() {
        return alignPage(DOORBELL_AT + Doorbell.bytes(slots));
    }

    long ringAt(int slot) {
        return ringsAt() + slot * size.bytes();
    }

    /** Header and rings; the arena begins here. */
    long bytes() {
        return alignPage(ringAt(slots));
    }

    static long alignPage(long offset) {
        return offset + (PAGE - 1) & -PAGE;
    }
}
