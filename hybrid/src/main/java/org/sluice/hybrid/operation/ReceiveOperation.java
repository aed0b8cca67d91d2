package org.sluice.hybrid.operation;

import org.sluice.device.channel.RemoteReference;
import org.sluice.hybrid.match.PostedReceive;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.FasterWay;

/**
 * One receive that is not over yet. Reused; under the progress lock.
 *
 * <p>States: POSTED (in the PostedReceiveQueue; left by a match, cancel or failure), PULLING (matched; reads the
 * sender's memory itself), STREAMING (matched; RNDV_REPLY is out and RNDV_DATA comes in), OFFERED (matched; the sender
 * was told where to write, and RNDV_END is to come), AWAITED (matched; the sender writes into a slot, and ROUTE_END is
 * to come). An eager message ends a receive at once.
 */
public final class ReceiveOperation extends PostedReceive {
    public Completion completion;
    /** The others that are withdrawn when this is matched; null: none. */
    public Choice choice;

    public Object buffer;
    public Object held;
    public Object base;
    public long address;
    public long bytes;
    /** What a message may have that is taken past the listener: as {@link #bytes}, and none where {@link #isMapped}. */
    public long takenBytes;

    public int elementSize;
    /** The buffer maps a file, so its pages may go. */
    public boolean isMapped;

    /** From the match on. */
    public int peer = -1;

    public int messageTag;
    public long messageBytes;
    public long sendId;
    /** In the table of receives that have asked for their bytes. */
    public long id;

    public long accepted;
    /** What came or, where it is read, what was asked for. */
    public long received;
    /** What the memory belongs to that the bytes are read into; null where that is an array. */
    public Object owner;
    /** Pieces on the way: the channel may write to the buffer. */
    public int outstanding;
    /** The sender may write to the buffer; {@link #reference} is what it was told. */
    public boolean isOffered;
    /** The sender writes the message into a slot of a persistent route. */
    public boolean isInSlot;
    /** No more pieces are asked for: it ends when the last one on the way has. */
    public boolean halted;
    /** Why it ends then, where somebody wants that already. */
    public Failure ending;
    /** Since when the sender's memory couldn't be read; 0: it can. */
    public long unreadableSince;
    /** Which takes its time; null where there is nothing to find out. */
    public FasterWay way;
    /** The sender's memory, or what it was offered. */
    public final RemoteReference reference = new RemoteReference();

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
        isInSlot = false;
        halted = false;
        ending = null;
        unreadableSince = 0;
        way = null;
        reference.clear();
    }
}
