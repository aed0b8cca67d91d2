package org.sluice.ib.wire;

import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/**
 * Packs messages into one packet where it is sent from. The messages stand where they will stay; the header is written
 * last, and for a single message right before its payload, so that it needn't be moved to be an ordinary packet.
 *
 * <p><i>Thread</i>: one at a time. <i>Owns</i>: nothing. <i>Proof</i>: {@code BundleTest}.
 */
public final class BundleWriter {
    private final int bodyBytes;
    private final boolean repeatsEnvelopes;
    /** Of the packet; 0 when nothing is open. */
    private long packet;

    private long end;
    private int count;
    /** A header was written: nothing is added any more. */
    private boolean isSealed;
    /** Of a message that can't go every way; 0 when there is none. */
    private int boundKind;
    /** Envelope of the last message. */
    private int kind;

    private int contextId;
    private int tag;
    private int bytes;

    /**
     * Makes one with nothing in it.
     *
     * @param bodyBytes longest body of a packet; 0 when nothing is ever packed
     * @param repeatsEnvelopes whether also an envelope that is that of the message before is written
     */
    public BundleWriter(int bodyBytes, boolean repeatsEnvelopes) {
        this.bodyBytes = bodyBytes;
        this.repeatsEnvelopes = repeatsEnvelopes;
    }

    /** Whether anything is ever packed. */
    public boolean packs() {
        return bodyBytes > 0;
    }

    public boolean isOpen() {
        return count > 0;
    }

    /**
     * What the packet is to be taken for where its way is chosen: of a kind that is bound to one, if any message is.
     */
    public int kindOfWay() {
        return boundKind == 0 ? PacketHeader.BUNDLE_KIND : boundKind;
    }

    /** Whether an empty bundle could take this message. */
    public boolean mayBegin(int newKind, int newBytes) {
        return Bundle.mayHold(newKind) && newBytes <= bodyBytes - Bundle.ENVELOPE_BYTES;
    }

    /** Whether there is room behind the last message. */
    public boolean mayAdd(int newKind, int newContextId, int newTag, int newBytes) {
        // What may go without credit took none: nothing else goes along with it.
        if (isSealed || !Bundle.mayHold(newKind) || PacketKind.isControl(newKind) != PacketKind.isControl(kind)) {
            return false;
        }
        int before = isSame(newKind, newContextId, newTag, newBytes) ? Bundle.FLAG_BYTES : Bundle.ENVELOPE_BYTES;
        return newBytes <= packet + PacketHeader.BYTES + bodyBytes - end - before;
    }

    private boolean isSame(int newKind, int newContextId, int newTag, int newBytes) {
        return !repeatsEnvelopes
                && count > 0
                && newTag == tag
                && newBytes == bytes
                && newContextId == contextId
                && newKind == kind;
    }

    /** @param at where the packet may begin */
    public void begin(long at) {
        packet = at;
        end = at + PacketHeader.BYTES;
        count = 0;
        boundKind = 0;
        isSealed = false;
    }

    /** After {@link #mayBegin} or {@link #mayAdd} said yes. */
    public void add(int newKind, int newContextId, int newTag, Object base, long address, int newBytes) {
        boolean isSame = isSame(newKind, newContextId, newTag, newBytes);
        long payload = end + (isSame ? Bundle.FLAG_BYTES : Bundle.ENVELOPE_BYTES);
        // First: it throws where the program's memory is gone, and then nothing may have been added.
        Memory.copy(base, address, null, payload, newBytes);
        if (isSame) {
            Memory.putByte(end, (byte) Bundle.SAME);
        } else {
            kind = newKind;
            contextId = newContextId;
            tag = newTag;
            bytes = newBytes;
            Memory.putByte(end, (byte) kind);
            Memory.putInt(end + Bundle.CONTEXT_ID, contextId);
            Memory.putInt(end + Bundle.TAG, tag);
            Memory.putInt(end + Bundle.PAYLOAD_BYTES, bytes);
        }
        if (PacketHeader.needsCompletion(kind)) {
            boundKind = kind;
        }
        end = payload + bytes;
        count++;
    }

    /**
     * Writes the header; again where the packet could not be sent.
     *
     * @return where the packet begins; {@link #packetBytes} its length
     */
    public long seal(int sequence, int credit) {
        isSealed = true;
        long at = start();
        if (count < Bundle.LEAST) {
            PacketHeader.write(at, sequence, kind, contextId, tag, bytes, credit);
        } else {
            PacketHeader.write(
                    at, sequence, PacketHeader.BUNDLE_KIND, 0, count, packetBytes() - PacketHeader.BYTES, credit);
        }
        return at;
    }

    private long start() {
        return count < Bundle.LEAST ? packet + Bundle.ENVELOPE_BYTES : packet;
    }

    public int packetBytes() {
        return (int) (end - start());
    }

    /** The packet is somebody else's, or is not to be sent. */
    public void clear() {
        count = 0;
    }

    @Override
    public String toString() {
        return count + " packed";
    }
}
