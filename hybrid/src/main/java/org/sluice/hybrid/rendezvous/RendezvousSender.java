package org.sluice.hybrid.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.Writing;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.operation.PeerFailed;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.SendOperation;

/**
 * The sending half of rendezvous, after RNDV_START: what the receiver answers, what is taken back, and the pieces that
 * this rank writes into its memory; and the pieces of long messages of persistent routes.
 *
 * <p>RNDV_END goes out right behind the last piece, as it arrives after its bytes; the send ends later, when the
 * channel has told of every piece.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: sends that are written, from RNDV_REPLY on. <i>Fails</i>: a
 * peer whose answer makes no sense is told to {@link PeerFailed}. <i>Proof</i>: {@code WrittenPiecesTest},
 * {@code HostilePacketsTest}, the device conformance suite.
 */
public final class RendezvousSender extends Turns<SendOperation> {
    private final Route[] routes;
    private final Ends ends;
    private final Counters counters;
    private final PeerFailed peerFailed;
    private final List<SendOperation> over = new ArrayList<>();
    private final Failure cancelled =
            new Failure(ErrorCode.CANCELLED, -1, "the send was cancelled before a receive matched it");

    public RendezvousSender(Route[] routes, Ends ends, Counters counters, PeerFailed peerFailed, Load load) {
        super(load);
        this.routes = routes;
        this.ends = ends;
        this.counters = counters;
        this.peerFailed = peerFailed;
    }

    /** The receiver wants the bytes: as a stream or, with a key, written to its memory. */
    public void onReply(int peer, long sendId, long receiveId, long accepted, long key, long address) {
        if (key != RemoteReference.NO_REFERENCE) {
            onOffer(peer, sendId, receiveId, accepted, key, address);
        } else {
            onRest(peer, sendId, receiveId, accepted, 0);
        }
    }

    /** The receiver wants a stream of what comes after its first bytes, which it has read. */
    public void onRest(int peer, long sendId, long receiveId, long accepted, long read) {
        String wrong = routes[peer].onReply(sendId, receiveId, accepted, read, over);
        if (wrong != null) {
            peerFailed.corrupt(peer, wrong);
        }
        ends.sent(routes, over, null);
    }

    private void onOffer(int peer, long sendId, long receiveId, long accepted, long key, long address) {
        SendOperation operation = routes[peer].started(sendId);
        if (operation == null) {
            peerFailed.corrupt(peer, "RNDV_REPLY for a send that isn't waiting for one");
        } else if (operation.described.key == RemoteReference.NO_REFERENCE
                || routes[peer].abilities().writing == null) {
            peerFailed.corrupt(peer, "RNDV_REPLY says where to write a message that can only be streamed");
        } else if (accepted <= 0 || accepted > operation.bytes) {
            peerFailed.corrupt(peer, "RNDV_REPLY has room for " + accepted + " of " + operation.bytes + " bytes");
        } else {
            routes[peer].onEnd(sendId);
            // From here on nobody but this rank's channel reads the bytes, and it says when it has ended.
            operation.started = false;
            operation.receiveId = receiveId;
            operation.accepted = accepted;
            operation.target.set(key, address, null);
            begin(operation);
        }
    }

    /** The receiver has read the bytes by itself, or needs none. */
    public void onEnd(int peer, long sendId) {
        SendOperation operation = routes[peer].onEnd(sendId);
        if (operation == null) {
            peerFailed.corrupt(peer, "RNDV_END for a send that isn't waiting for one");
        } else {
            ends.sent(routes[peer], operation, null);
        }
    }

    /**
     * @return true when the send is over by this; else it ends when the peer answers, with CANCELLED or as if nothing
     *     had been asked
     */
    public boolean withdraw(SendOperation operation) {
        Route route = routes[operation.peer];
        switch (route.withdraw(operation)) {
            case WITHDRAWN:
                endWithdrawn(route, operation);
                return true;
            case TO_BE_ASKED_FOR:
                ends.controlsWait();
                return false;
            default:
                return false;
        }
    }

    /** The receiver had not matched it, and has forgotten it. */
    public void onWithdrawn(int peer, long sendId) {
        SendOperation operation = routes[peer].withdrawn(sendId);
        if (operation == null) {
            peerFailed.corrupt(peer, "RNDV_WITHDRAWN for a send that wasn't to be taken back");
        } else {
            endWithdrawn(routes[peer], operation);
        }
    }

    private void endWithdrawn(Route route, SendOperation operation) {
        counters.increment(Counter.SENDS_WITHDRAWN);
        ends.sent(route, operation, operation.withdrawnFor == null ? cancelled : operation.withdrawnFor);
    }

    @Override
    int step(SendOperation operation) {
        long left = operation.accepted - operation.streamed;
        if (operation.halted || left == 0) {
            return IDLE;
        }
        // One that found no slot free, and went in the ordinary way, has its route's slots all the same.
        if (operation.isInPieces()) {
            return stepIntoSlot(operation);
        }
        Writing writing = routes[operation.peer].abilities().writing;
        int length = (int) Math.min(writing.putBytes(), left);
        PutResult result = writing.put(
                operation.peer,
                operation.described,
                operation.address + operation.streamed,
                length,
                operation.target,
                operation.streamed,
                operation);
        if (result == PutResult.FAILED) {
            operation.halted = true;
            peerFailed.corrupt(
                    operation.peer,
                    "RNDV_REPLY says to write where nobody can: key 0x" + Long.toHexString(operation.target.key)
                            + ", address 0x" + Long.toHexString(operation.target.address));
        }
        if (result != PutResult.STARTED) {
            return IDLE;
        }
        operation.outstanding++;
        operation.streamed += length;
        counters.increment(Counter.PUT_CHUNKS);
        if (length == left) {
            ends.control(
                    routes[operation.peer],
                    PacketKind.RNDV_END,
                    operation.receiveId,
                    operation.accepted,
                    0,
                    2 * Long.BYTES);
        }
        return MOVED;
    }

    /** One that goes into a slot has just been taken in: as much of it begins as has room. */
    public void beginIntoSlot(SendOperation operation) {
        int result;
        do {
            result = step(operation);
        } while (result == MOVED);
    }

    /** Whether pieces for slots have not begun: they go although no call may follow. */
    public boolean isWritingIntoSlots() {
        for (int i = 0; i < size(); i++) {
            if (get(i).isInPieces() && get(i).streamed < get(i).accepted) {
                return true;
            }
        }
        return false;
    }

    private int stepIntoSlot(SendOperation operation) {
        int length = operation.slots.writePiece(operation, counters);
        if (length == 0) {
            return IDLE;
        }
        operation.outstanding++;
        operation.streamed += length;
        counters.increment(Counter.PUT_CHUNKS);
        if (operation.streamed == operation.accepted) {
            operation.slots.begun(operation);
        }
        return MOVED;
    }

    /**
     * A piece that was on the way is there, or may never be: then the failure of the peer that follows ends the send.
     */
    public void onPutDone(SendOperation operation, boolean ok) {
        operation.outstanding--;
        operation.halted |= !ok;
        if (operation.outstanding == 0 && !operation.halted && operation.streamed == operation.accepted) {
            remove(operation);
            if (operation.isInPieces()) {
                operation.slots.written(operation);
            }
            ends.sent(routes[operation.peer], operation, null);
        }
    }

    /**
     * A peer that has received everything may close, and its last packet overtake the news that everything is there.
     * Begins no more pieces.
     *
     * @return whether some are on the way to it
     */
    public boolean halt(int peer) {
        boolean isOnTheWay = false;
        for (int i = 0; i < size(); i++) {
            SendOperation operation = get(i);
            if (operation.peer == peer) {
                operation.halted |= operation.streamed < operation.accepted;
                isOnTheWay |= operation.outstanding > 0;
            }
        }
        return isOnTheWay;
    }

    /** True while something is written to this peer. */
    public boolean isWriting(int peer) {
        for (int i = 0; i < size(); i++) {
            if (get(i).peer == peer) {
                return true;
            }
        }
        return false;
    }

    /** Fails what is written to a peer that was disconnected: the channel reads it no more. */
    public void fail(int peer, Failure failure) {
        for (int i = size() - 1; i >= 0; i--) {
            SendOperation operation = get(i);
            if (operation.peer == peer) {
                remove(operation);
                ends.sent(routes[peer], operation, failure);
            }
        }
    }

    @Override
    public String toString() {
        return "RendezvousSender[" + size() + " written]";
    }
}
