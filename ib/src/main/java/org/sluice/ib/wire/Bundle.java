package org.sluice.ib.wire;

import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/**
 * The body of a BUNDLE packet: messages for one peer that found no room and leave together, in order, one behind the
 * other without gaps.
 *
 * <pre>
 *    0  kind       1   {@link PacketKind} of a message; 0: kind, context, tag and length are those of the message
 *                      before, and the payload follows
 *    1  contextId  4
 *    5  tag        4
 *    9  bytes      4   of the payload
 *   13  payload
 * </pre>
 *
 * The packet's header has kind BUNDLE, no context, and the number of messages as its tag: two at least. What answers
 * long messages (RNDV_REPLY, RNDV_END) shares with its like only, as it may go where messages have no credit; other
 * control packets are rare, and pieces of streams as long as a packet. {@link #fault} checks all of it before the first
 * is handed up.
 */
public final class Bundle {
    /** Instead of a kind: the envelope of the message before. */
    static final int SAME = 0;

    static final int FLAG_BYTES = 1;
    static final int CONTEXT_ID = FLAG_BYTES;
    static final int TAG = 5;
    static final int PAYLOAD_BYTES = 9;

    /** Of a message whose envelope is written out, with the flag. */
    public static final int ENVELOPE_BYTES = 13;

    /** One message is sent as the packet that it is. */
    public static final int LEAST = 2;

    private Bundle() {}

    /** Whether messages of this kind may share a packet. */
    public static boolean mayHold(int kind) {
        return kind == PacketKind.EAGER
                || kind == PacketKind.RNDV_START
                || kind == PacketKind.RNDV_REPLY
                || kind == PacketKind.RNDV_END;
    }

    /**
     * What is wrong with a bundle of whose packet the form is right, or null.
     *
     * @param packet where its header begins
     */
    static String fault(long packet) {
        int claimed = Memory.getInt(packet + PacketHeader.TAG);
        if (Memory.getInt(packet + PacketHeader.CONTEXT_ID) != 0) {
            return "a bundle with a context of its own";
        }
        long at = packet + PacketHeader.BYTES;
        long end = at + Memory.getInt(packet + PacketHeader.BODY_BYTES);
        int count = 0;
        int bytes = 0;
        for (; at < end; count++) {
            int kind = Memory.getByte(at);
            if (kind == SAME) {
                if (count == 0) {
                    return "a bundle whose first message has no envelope";
                }
                at += FLAG_BYTES;
            } else if (!mayHold(kind)) {
                return "a bundle with a message of " + PacketKind.name(kind);
            } else if (end - at < ENVELOPE_BYTES) {
                return "a bundle that ends within an envelope";
            } else {
                bytes = Memory.getInt(at + PAYLOAD_BYTES);
                at += ENVELOPE_BYTES;
            }
            if (bytes < 0 || bytes > end - at) {
                return "a bundle with a message of " + bytes + " bytes where " + (end - at) + " are left";
            }
            at += bytes;
        }
        return count >= LEAST && count == claimed
                ? null
                : "a bundle of " + count + " messages that says it has " + claimed;
    }
}
