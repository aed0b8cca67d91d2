package org.sluice.hybrid.protocol;

import org.sluice.device.channel.RemoteReference;
import org.sluice.hybrid.match.UnexpectedMessage;

/**
 * A message that came before its receive: its payload when it came eagerly, else how to ask for it. Reused; under the
 * progress lock.
 */
final class StoredMessage extends UnexpectedMessage {
    /**
     * The payload's first {@link #bytes} bytes; null for a rendezvous, and where the message is {@link #kept} or lies
     * in a slot.
     */
    byte[] payload;
    /** Where the payload begins: in the array or, absolute, in memory of the channel. */
    long address;
    /** The payload lies where it came, until it is given back to the channel. */
    boolean kept;

    boolean rendezvous;
    long sendId;
    RemoteReference reference;
    /** Where it lies in a slot of a persistent route; else null. */
    InboundSlots slots;

    int slot;
    /** That which {@link StoredMessages} keeps below it. */
    StoredMessage below;

    /** It is the one that its sender told of by this id. */
    boolean isTold(long id) {
        return rendezvous && slots == null && sendId == id;
    }
}
