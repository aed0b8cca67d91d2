package org.sluice.hybrid.protocol;

import org.sluice.device.channel.RemoteReference;
import org.sluice.hybrid.match.PostedReceive;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;

/**
 * One receive that is not over yet. Reused; under the progress lock.
 *
 * <p>States: POSTED (in the PostedReceiveQueue; left by a match, cancel or failure), PULLING (matched; reads the
 * sender's memory itself), STREAMING (matched; RNDV_REPLY is out and RNDV_DATA comes in), OFFERED (matched; the sender
 * was told where to write, and RNDV_END is to come). An eager message ends a receive at once.
 */
final class ReceiveOperation extends PostedReceive {
    Completion completion;
    /** The others that are withdrawn when this is matched; null: none. */
    Choice choice;

    Object buffer;
    Object held;
    Object base;
    long address;
    long bytes;
    /** What a message may have that is taken past the listener: as {@link #bytes}, and none where {@link #isMapped}. */
    long takenBytes;

    int elementSize;
    /** The buffer maps a file, so its pages may go. */
    boolean isMapped;

    /** From the match on. */
    int peer = -1;

    int messageTag;
    long messageBytes;
    long sendId;
    /** In the table of receives that have asked for their bytes. */
    long id;

    long accepted;
    /** What came or, where it is read, what was asked for. */
    long received;
    /** What the memory belongs to that the bytes are read into; null where that is an array. */
    Object owner;
    /** Pieces on the way: the channel may write to the buffer. */
    int outstanding;
    /** The sender may write to the buffer; {@link #reference} is what it was told. */
    boolean isOffered;
    /** No more pieces are asked for: it ends when the last one on the way has. */
    boolean halted;
    /** Why it ends then, where somebody wants that already. */
    Failure ending;
    /** Since when the sender's memory couldn't be read; 0: it can. */
    long unreadableSince;
    /** Which takes its time; null where there is nothing to find out. */
    FasterWay way;
    /** The sender's memory, or what it was offered. */
    final RemoteReference reference = new RemoteReference();

    void clear() {
        completion = null;
        choice = null;
        buffer = null;
        held = null;
        base = null;
        peer = -1;
        received = 0;
        owner = null;
        outstanding = 0;
        isMapped = false;
        isOffered = false;
        halted = false;
        ending = null;
        unreadableSince = 0;
        way = null;
        reference.clear();
    }
}
