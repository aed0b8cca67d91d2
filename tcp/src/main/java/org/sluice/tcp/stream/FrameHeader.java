package org.sluice.tcp.stream;

import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/**
 * What stands before each body on the stream; host byte order, which both ends have agreed on.
 *
 * <pre>
 *   0  sequence   4   frames of this direction, from 1, wrapping
 *   4  kind       4   a {@link PacketKind}, or one of those below
 *   8  contextId  4   the envelope's; of a {@link #PUT}: which offer
 *  12  tag        4   the envelope's; of a {@link #PUT}: the offer's generation
 *  16  bytes      4   of the body that follows
 *  20  consumed   4   bytes of counted frames that the sender of this has taken from the other direction, lowest half
 *  24  offset     8   of a {@link #PUT}: where its bytes begin in the offer; else 0
 * </pre>
 */
public final class FrameHeader {
    public static final int SEQUENCE = 0;
    public static final int KIND = 4;
    public static final int CONTEXT_ID = 8;
    public static final int TAG = 12;
    public static final int LENGTH = 16;
    public static final int CONSUMED = 20;
    public static final int OFFSET = 24;
    public static final int BYTES = 32;

    /** Only tells what was consumed. Not counted. */
    public static final int CREDIT = 96;
    /** The body goes to memory that the reader has offered. Not counted. */
    public static final int PUT = 97;

    private FrameHeader() {}

    /** Whether it takes credit, and gives it back when it was handed up. */
    static boolean isCounted(int kind) {
        return kind < CREDIT;
    }

    /** What is wrong with a frame of this kind and length; null where nothing is. */
    static String fault(int kind, int bytes, long offset) {
        if (kind < 1 || kind > PacketKind.LAST && kind != CREDIT && kind != PUT) {
            return "a frame of kind " + kind;
        }
        int most = kind == PUT
                ? Outbound.PIECE_BYTES
                : kind == CREDIT
                        ? 0
                        : kind == PacketKind.EAGER || kind == PacketKind.RNDV_DATA
                                ? Outbound.BODY_BYTES
                                : PacketKind.CONTROL_BODY_LIMIT;
        if (bytes < (kind == PUT ? 1 : 0) || bytes > most) {
            return "a frame of kind " + kind + " with a body of " + bytes + " bytes";
        }
        return kind != PUT && offset != 0 ? "a frame of kind " + kind + " with an offset" : null;
    }

    static void put(long at, int sequence, int kind, int bytes, int consumed) {
        Memory.putInt(at + SEQUENCE, sequence);
        Memory.putInt(at + KIND, kind);
        Memory.putInt(at + LENGTH, bytes);
        Memory.putInt(at + CONSUMED, consumed);
    }

    static void envelope(long at, int contextId, int tag, long offset) {
        Memory.putInt(at + CONTEXT_ID, contextId);
        Memory.putInt(at + TAG, tag);
        Memory.putLong(at + OFFSET, offset);
    }
}
