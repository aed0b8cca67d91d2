package org.sluice.ib.wire;

import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/**
 * What stands before every packet's body, in host byte order: a job joins machines of one byte order only.
 *
 * <pre>
 *    0  sequence   4   counts this sender's packets to this receiver from 1; 0 in CREDIT, ASK_BACK, GIVE_BACK and
 *                      LANDING, which are not
 *    4  kind       4   {@link PacketKind}, CREDIT, ASK_BACK, GIVE_BACK, LANDING or BUNDLE
 *    8  contextId  4
 *   12  tag        4   of a bundle: how many messages; of GIVE_BACK: how much credit in all
 *   16  bytes      4   of the body, which ends the packet
 *   20  credit     4   how many counted packets the receiver of this header may have sent in all
 *   24  landed     4   how many packets the sender of this has handed up in all of its landing ring for the
 *                      receiver; 0 where it has none
 *   28  taken      4   of CLOSE how many counted packets of the receiver's its sender has taken in all; 0 in others
 * </pre>
 *
 * Packets are checked by {@link #fault} before anything in them is believed.
 */
public final class PacketHeader {
    public static final int SEQUENCE = 0;
    public static final int KIND = 4;
    public static final int CONTEXT_ID = 8;
    public static final int TAG = 12;
    public static final int BODY_BYTES = 16;
    public static final int CREDIT = 20;
    public static final int LANDED = 24;
    public static final int TAKEN = 28;
    public static final int BYTES = 32;

    /** {@link #KIND} of a packet that only carries credit; it stays inside the channel. */
    public static final int CREDIT_KIND = 64;

    /**
     * {@link #KIND} of a packet that asks for credit that the receiver doesn't use; as the next it stays inside the
     * channel and needs no credit.
     */
    public static final int ASK_BACK_KIND = 66;

    /** {@link #KIND} of a packet that gives credit back: as much as {@link #TAG} says, in all. */
    public static final int GIVE_BACK_KIND = 67;

    /**
     * {@link #KIND} of a packet that holds several: {@link Bundle}. What is in it leaves the channel, the bundle
     * doesn't.
     */
    public static final int BUNDLE_KIND = 65;

    /** {@link #KIND} of a packet about landing rings: {@link LandingNews}; it stays inside the channel. */
    public static final int LANDING_KIND = 72;

    /** No slot is so long. */
    private static final long MOST_IN_SLOT = 1L << 40;

    /** A packet of ROUTE_DATA or ROUTE_END, and where in it the length of the message stands. */
    private static final int ROUTE_DATA_BYTES = BYTES + 3 * Long.BYTES;

    private static final int ROUTE_DATA_LENGTH = BYTES + 2 * Long.BYTES;

    private PacketHeader() {}

    /** True for packets that are about credit alone: they are not counted. */
    public static boolean isAboutCredit(int kind) {
        return kind == CREDIT_KIND || kind == ASK_BACK_KIND || kind == GIVE_BACK_KIND;
    }

    /**
     * True for packets that tell of bytes which were written elsewhere just before: they have to come with a
     * completion, as only that promises that those bytes are there.
     */
    public static boolean needsCompletion(int kind) {
        return kind == PacketKind.ROUTE_DATA || kind == PacketKind.RNDV_END || kind == PacketKind.ROUTE_END;
    }

    /**
     * How much was written into a slot of a persistent route before this packet, as its sender says; 0 where it is of
     * another kind or form, or no length.
     */
    public static long bytesInSlot(long at, int kind, int length) {
        boolean isOfSlot =
                (kind == PacketKind.ROUTE_DATA || kind == PacketKind.ROUTE_END) && length == ROUTE_DATA_BYTES;
        long told = isOfSlot ? Memory.getLong(at + ROUTE_DATA_LENGTH) : 0;
        // A sum of these is kept before the packet is checked further.
        return told < 0 || told > MOST_IN_SLOT ? 0 : told;
    }

    public static void write(long at, int sequence, int kind, int contextId, int tag, int bodyBytes, int credit) {
        Memory.putInt(at + SEQUENCE, sequence);
        Memory.putInt(at + KIND, kind);
        Memory.putInt(at + CONTEXT_ID, contextId);
        Memory.putInt(at + TAG, tag);
        Memory.putInt(at + BODY_BYTES, bodyBytes);
        Memory.putInt(at + CREDIT, credit);
        Memory.putInt(at + LANDED, 0);
        Memory.putInt(at + TAKEN, 0);
    }

    /** Whether packets of this kind have a sequence number, and hold something to hand up. */
    public static boolean isCounted(int kind) {
        return kind >= 1 && kind <= PacketKind.LAST || kind == BUNDLE_KIND;
    }

    /**
     * What is wrong with a packet's form, or null.
     *
     * @param length of the whole packet, as the adapter reported it
     * @param expected the sequence that a counted packet must have
     */
    public static String fault(long at, int length, int expected) {
        if (length < BYTES) {
            return "a packet of " + length + " bytes, shorter than a header";
        }
        int kind = Memory.getInt(at + KIND);
        int bodyBytes = Memory.getInt(at + BODY_BYTES);
        int sequence = Memory.getInt(at + SEQUENCE);
        if (bodyBytes != length - BYTES) {
            return "a packet of " + length + " bytes that says its body has " + bodyBytes;
        }
        if (Memory.getInt(at + TAKEN) != 0 && kind != PacketKind.CLOSE) {
            return "a packet that tells of packets taken, as only a goodbye does";
        }
        if (isAboutCredit(kind)) {
            return bodyBytes == 0 && sequence == 0
                    ? null
                    : "a credit packet with sequence " + sequence + " and " + bodyBytes + " bytes";
        }
        if (kind == LANDING_KIND) {
            return bodyBytes == LandingNews.BYTES && sequence == 0
                    ? null
                    : "news of a landing ring with sequence " + sequence + " and " + bodyBytes + " bytes";
        }
        if (!isCounted(kind)) {
            return "a packet of " + PacketKind.name(kind);
        }
        if (sequence != expected) {
            return "packet " + Integer.toUnsignedString(sequence) + " where " + Integer.toUnsignedString(expected)
                    + " had to come";
        }
        return kind == BUNDLE_KIND ? Bundle.fault(at) : null;
    }
}
