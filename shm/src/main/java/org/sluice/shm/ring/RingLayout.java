package org.sluice.shm.ring;

/**
 * Where everything is in a ring; docs/explanation/protocol.md draws the same and {@code RingLayoutTest} holds both to
 * it.
 *
 * <pre>
 *     0  consumed cells     8   reader writes, writer reads when it is out of room
 *     8  consumed payload   8   the same, in bytes of payload ring
 *   128  watched            4   reader writes rarely, writer reads before it leaves: 0 means ring my doorbell
 *   132  withdrawn          4   reader writes once: not 0 says that its memory, of which the writer was told, is used
 *                              again, and why: it closed (1), or failed or cut the writer off (2)
 *   192  can read memory    4   writer writes once: 1 says that it can read the reader's process
 *   256  cells             64 each
 *     +  payload ring
 *
 *   cell:
 *     0  publish word       8   sequence (low 32 bits: number of the cell, from 1), kind (8), body length (24)
 *     8  context id         4
 *    12  tag                4
 *    16  body              48   or, when the body is longer, its position in the payload ring (8)
 * </pre>
 *
 * <p>No body ever covers a publish word and the sequence differs from lap to lap, so whatever a payload contains it
 * can't be taken for an arrival, and nothing has to be cleared. Header and body of a small message are one cache line.
 */
public final class RingLayout {
    public static final int CONSUMED_CELLS = 0;
    public static final int CONSUMED_PAYLOAD = 8;
    public static final int WATCHED = 128;
    public static final int WITHDRAWN = 132;

    /** {@link #WITHDRAWN}: what the writer's rank was told to read is still the messages'. */
    public static final int NOT_WITHDRAWN = 0;

    public static final int WITHDRAWN_BY_CLOSE = 1;
    public static final int WITHDRAWN_BY_FAILURE = 2;
    public static final int CAN_READ_MEMORY = 192;
    public static final int CELLS = 256;

    public static final int CELL_SHIFT = 6;
    public static final int CELL_BYTES = 1 << CELL_SHIFT;
    public static final int PUBLISH = 0;
    public static final int CONTEXT_ID = 8;
    public static final int TAG = 12;
    public static final int BODY = 16;
    public static final int INLINE_BODY_LIMIT = CELL_BYTES - BODY;

    public static final int KIND_SHIFT = 32;
    public static final int LENGTH_SHIFT = 40;
    public static final int LENGTH_LIMIT = (1 << 24) - 1;

    /** Set in the kind when an object waits in the queue that runs beside a ring inside one JVM. */
    public static final int REFERENCE_FLAG = 0x80;

    /** Only control packets take the last cells, so that giving room back never needs room. */
    public static final int RESERVED_CELLS = 16;

    public static final int PAYLOAD_ALIGNMENT = 64;

    /** Rings begin at multiples of this: the pair of lines that is prefetched together belongs to one ring. */
    public static final int RING_ALIGNMENT = 256;

    private RingLayout() {}

    static long publishWord(long cellIndex, int kind, int bytes) {
        return (cellIndex + 1) & 0xffffffffL | (long) kind << KIND_SHIFT | (long) bytes << LENGTH_SHIFT;
    }

    static long alignPayload(long position) {
        return position + (PAYLOAD_ALIGNMENT - 1) & -PAYLOAD_ALIGNMENT;
    }
}
