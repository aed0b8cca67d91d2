package org.sluice.hybrid.protocol;

import org.sluice.device.channel.RemoteReference;
import org.sluice.hybrid.match.UnexpectedMessage;

/** A message that came before its receive: its payload when it came eagerly, else how to ask for it. Reused; under the progress lock. */
final class StoredMessage extends UnexpectedMessage {
    /** The payload's first {@link #bytes} bytes; null for a rendezvous. */
    byte[] payload;
    boolean rendezvous;
    long sendId;
    RemoteReference reference;
}
