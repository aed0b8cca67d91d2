package org.sluice.ib.wire;

import org.sluice.device.memory.Memory;

/**
 * Goes through the messages of a bundle that {@link PacketHeader#fault} found right.
 *
 * <p><i>Thread</i>: one at a time. <i>Owns</i>: nothing. <i>Proof</i>: {@code BundleTest}.
 */
public final class BundleReader {
    private long end;
    private int left;
    private int kind;
    private int contextId;
    private int tag;
    private long payload;
    private int bytes;

    /** @param packet where its header begins; stays as it is until the last message was read */
    public void begin(long packet) {
        left = Memory.getInt(packet + PacketHeader.TAG);
        end = packet + PacketHeader.BYTES;
    }

    public boolean hasNext() {
        return left > 0;
    }

    public void next() {
        int flag = Memory.getByte(end);
        if (flag == Bundle.SAME) {
            payload = end + Bundle.FLAG_BYTES;
        } else {
            kind = flag;
            contextId = Memory.getInt(end + Bundle.CONTEXT_ID);
            tag = Memory.getInt(end + Bundle.TAG);
            bytes = Memory.getInt(end + Bundle.PAYLOAD_BYTES);
            payload = end + Bundle.ENVELOPE_BYTES;
        }
        end = payload + bytes;
        left--;
    }

    /** The rest is not wanted. */
    public void drop() {
        left = 0;
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
