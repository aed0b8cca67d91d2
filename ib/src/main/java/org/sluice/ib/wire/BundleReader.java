package org.sluice.ib.wire;

import org.sluice.device.memory.Memory;

/**
 * Goes through the messages of a bundle that {@link PacketHeader#fault} found right.
 *
 * <p><i>Thread</i>: one at a time. <i>Owns</i>: nothing. <i>Proof</i>: {@code BundleTest}.
 */
public final class BundleReader {
    private static final int UNKNOWN = -1;

    private long end;
    private long packetEnd;
    private int messages;
    private int kind;
    private int contextId;
    private int tag;
    private long payload;
    private int bytes;

    /**
     * @param packet where its header begins; stays as it is until the last message was read, unless its sender can
     *     write there and lies
     */
    public void begin(long packet, int packetBytes) {
        messages = Memory.getInt(packet + PacketHeader.TAG);
        kind = UNKNOWN;
        end = packet + PacketHeader.BYTES;
        packetEnd = packet + packetBytes;
    }

    public boolean hasNext() {
        return messages > 0;
    }

    /** @return false where it is no longer what was found right: nothing more of it is to be read */
    public boolean next() {
        long left = packetEnd - end;
        int flag = left < Bundle.FLAG_BYTES ? UNKNOWN : Memory.getByte(end);
        if (flag == Bundle.SAME && kind != UNKNOWN) {
            payload = end + Bundle.FLAG_BYTES;
        } else if (Bundle.mayHold(flag) && left >= Bundle.ENVELOPE_BYTES) {
            kind = flag;
            contextId = Memory.getInt(end + Bundle.CONTEXT_ID);
            tag = Memory.getInt(end + Bundle.TAG);
            bytes = Memory.getInt(end + Bundle.PAYLOAD_BYTES);
            payload = end + Bundle.ENVELOPE_BYTES;
        } else {
            return false;
        }
        if (bytes < 0 || bytes > packetEnd - payload) {
            return false;
        }
        end = payload + bytes;
        messages--;
        return true;
    }

    /** The rest is not wanted. */
    public void drop() {
        messages = 0;
    }

    public int kind() {
        return kind;
    }

    public int contextId() {
        return contextId;
    }

    public int tag() {
        return tag;
    }

    /** Where the payload is; it begins anywhere. */
    public long payload() {
        return payload;
    }

    public int bytes() {
        return bytes;
    }
}
