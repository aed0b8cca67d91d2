package org.sluice.hybrid.route;

import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;

/**
 * One send that is not over yet. Reused; under its route's send lock, but for {@link #completion}, which ends under the
 * progress lock, and for all of it while it is WRITING or LENT.
 *
 * <p>States: WAITING (in PendingSends: no room yet), STARTED (RNDV_START is out; left by REPLY or END), STREAMING (the
 * receiver asked for the bytes; left when the last RNDV_DATA is out), WRITING (the receiver said where the bytes
 * belong; left when the last piece is there), LENT (the message is out, and the channel reads its bytes). One of a
 * persistent route may be written while it is WAITING, and waits for its own write afterwards. An eager send that found
 * room and is copied never becomes an operation.
 */
public final class SendOperation {
    /** What the program gets, or the operation's own when the call blocks. */
    public Completion completion;

    public Object buffer;
    public Object held;
    public Object base;
    public long address;
    public long bytes;
    public int elementSize;
    public int contextId;
    public int tag;
    /** Completes only when matched, so it never goes eagerly. */
    public boolean synchronous;
    /** An eager message that needn't be copied. */
    public boolean lendable;
    /** Memory that was given away with the message; freed at the end. */
    public MessageMemory given;
    /** Done at the end, once nobody reads its memory any more: what reads it by a lease gives that back; or null. */
    public Runnable afterwards;

    /** In the route's table from RNDV_START on, or while LENT. */
    public long id;
    /** The peer was told of the bytes, and may read them. */
    public boolean started;
    /** The peer was asked to forget it, and hasn't answered. */
    boolean withdrawing;
    /** How the peer can read the bytes; its lease is given back at the end. */
    public final RemoteReference described = new RemoteReference();

    public long receiveId;
    public long accepted;
    /** What went as a stream or, where it is written, was begun. */
    public long streamed;

    /** To whom. */
    public final int peer;
    /** Where its memory is. */
    public final RemoteReference target = new RemoteReference();
    /** Pieces on the way, or the one message: the channel reads the buffer. */
    public int outstanding;
    /** No more pieces are begun. */
    public boolean halted;
    /** The buffer maps a file, so its pages may go: what is streamed is copied out first. */
    public boolean isMapped;
    /** Why it was taken back, where nobody has cancelled it. */
    public Failure withdrawnFor;

    /** The persistent route that it was sent on; null for all others. */
    public OutboundSlots slots;
    /** Where it was written to; it may wait for the room of its packet. */
    OutboundSlots.Slot slot;
    /** That packet is out. */
    boolean announced;
    /** A long one of a persistent route, which whoever writes it in pieces has: the receiver knows that it comes. */
    boolean isInPieces;

    /** Another that failed while its peer could still read its memory. */
    public SendOperation alsoRead;

    /** Behind it in the {@link SendQueue}, if it is in one. */
    SendOperation next;

    SendOperation(int peer) {
        this.peer = peer;
    }

    /** Whether it is written in pieces, from now on. */
    public boolean isInPieces() {
        return isInPieces;
    }

    /** Nothing more happens to one that was sent. */
    boolean isOver() {
        return !started && outstanding == 0 && !isInPieces;
    }

    /** Nobody reads its memory any more, or nobody ever did. Again is harmless. */
    public void giveBack(Reading reading) {
        Object lease = described.lease;
        Object holding = held;
        MessageMemory free = given;
        described.clear();
        held = null;
        given = null;
        if (lease != null) {
            reading.release(lease);
        }
        UserBuffer.release(holding);
        if (free != null) {
            free.free();
        }
    }

    void clear() {
        completion = null;
        buffer = null;
        held = null;
        base = null;
        given = null;
        afterwards = null;
        synchronous = false;
        lendable = false;
        described.clear();
        started = false;
        withdrawing = false;
        streamed = 0;
        accepted = 0;
        target.clear();
        outstanding = 0;
        halted = false;
        isMapped = false;
        withdrawnFor = null;
        slots = null;
        slot = null;
        announced = false;
        isInPieces = false;
    }
}
