package org.sluice.hybrid.protocol;

import org.sluice.device.channel.RemoteReference;
import org.sluice.hybrid.match.PostedReceive;
import org.sluice.hybrid.request.Completion;

/**
 * One receive that is not over yet. Reused; under the progress lock.
 *
 * <p>States: POSTED (in the PostedReceiveQueue; left by a match, cancel or failure), PULLING (matched; reads the sender's memory itself),
 * STREAMING (matched; RNDV_REPLY is out and RNDV_DATA comes in). An eager message ends a receive at once.
 */
final class ReceiveOperation extends PostedReceive {
    Completion completion;
    Object buffer;
    Object held;
    Object base;
    long address;
    long bytes;
    int elementSize;

    /** From the match on. */
    int peer = -1;
    int messageTag;
    long messageBytes;
    long sendId;
    /** In the table of streamed receives. */
    long id;
    long accepted;
    long received;
    /** Since when the sender's memory couldn't be read; 0: it can. */
    long unreadableSince;
    final RemoteReference reference = new RemoteReference();

    void clear() {
        completion = null;
        buffer = null;
        held = null;
        base = null;
        peer = -1;
        received = 0;
        unreadableSince = 0;
        reference.clear();
    }
}
