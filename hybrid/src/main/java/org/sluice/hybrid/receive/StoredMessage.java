package org.sluice.hybrid.receive;

import org.sluice.device.channel.RemoteReference;
import org.sluice.hybrid.match.UnexpectedMessage;
import org.sluice.hybrid.persistent.InboundSlots;

/**
 * A message that came before its receive: its payload when it came eagerly, else how to ask for it. Reused; under the
 * progress lock.
 */
public final class StoredMessage extends UnexpectedMessage {
    /**
     * The payload's first {@link #bytes} bytes; null for a rendezvous, and where the message is {@link #kept} or lies
     * in a slot.
     */
    public byte[] payload;
    /** Where the payload begins: in the array or, absolute, in memory of the channel. */
    public long address;
    /** The payload lies where it came, until it is given back to the channel. */
    public boolean kept;

    public boolean rendezvous;
    public long sendId;
    public RemoteReference reference;
    /** Where it lies in a slot of a persistent route; else null. */
    public InboundSlots slots;

    public int slot;
    /** That which {@link StoredMessages} keeps below it. */
    StoredMessage below;

    /** Its bytes are being written into its slot. */
    public boolean isComing() {
        return slots != null && slots.isComing(slot);
    }

    /** It is the one that its sender told of by this id. */
    boolean isTold(long id) {
        return rendezvous && slots == null && sendId == id;
    }
}
