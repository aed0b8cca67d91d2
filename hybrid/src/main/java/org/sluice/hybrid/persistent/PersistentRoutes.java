package org.sluice.hybrid.persistent;

import org.sluice.device.ErrorCode;
import org.sluice.device.PersistentRoute;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.RemoteSlots;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.operation.PeerFailed;
import org.sluice.hybrid.rendezvous.RendezvousSender;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.IdTable;
import org.sluice.hybrid.route.OutboundSlots;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.SendOperation;

/**
 * The persistent routes of one device, those that lead from here and those that lead here: how they begin and end, and
 * what peers say of them.
 *
 * <p>A long message is announced by ROUTE_START, and matched; ROUTE_END says that its last piece is there. ROUTE_OPEN
 * asks for slots, ROUTE_READY has their place. ROUTE_CLOSE follows the sender's last message, as everything that it
 * writes comes before: then nothing is written any more, and ROUTE_CLOSED is the receiver's last word. Both ends know a
 * route from then on no more.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the slots that peers write to. <i>Fails</i>: a peer that says
 * what can't be is told to {@link PeerFailed}. <i>Proof</i>: {@code PersistentRoutesTest},
 * {@code PersistentRouteCases}.
 */
public final class PersistentRoutes implements OutboundSlots.Pieces {
    private final Route[] routes;
    private final Ends ends;
    private final PeerFailed peerFailed;
    /** Moves messages that are written in pieces. */
    private final RendezvousSender writer;

    private final IdTable<OutboundSlots> outbound = new IdTable<>();
    private final IdTable<InboundSlots> inbound = new IdTable<>();
    /** Of all slots that peers write to: how much there may be, and is. */
    private long limitBytes;

    private long bytes;
    /** Closed routes whose last message waits for room. */
    private int closing;
    /** The device ends: what is left is freed with its channel. */
    private boolean isOver;

    public PersistentRoutes(Route[] routes, Ends ends, PeerFailed peerFailed, RendezvousSender writer) {
        this.routes = routes;
        this.ends = ends;
        this.peerFailed = peerFailed;
        this.writer = writer;
    }

    public void limitBytes(long newLimit) {
        limitBytes = newLimit;
    }

    /**
     * Asks the peer for slots. Until it answers messages go in the ordinary way.
     *
     * @param completion ends with its answer; null where nobody waits for that
     */
    public void open(OutboundSlots slots, Completion completion) {
        Route route = routes[slots.peer()];
        if (route.failure() != null) {
            failed(completion, slots.peer(), route.failure());
            return;
        }
        slots.opening(outbound.add(slots), completion, this);
        if (completion != null) {
            completion.operation(slots);
        }
        ends.control(route, PacketKind.ROUTE_OPEN, slots.id(), slots.maxBytes(), slots.slots(), 3 * Long.BYTES);
    }

    /** No more is sent on it; what waits goes in the ordinary way. */
    public void close(OutboundSlots slots) {
        if (!slots.isClosed()) {
            slots.close();
            if (!tellClose(slots) && slots.isWritten()) {
                closing++;
            }
        }
    }

    /** Whoever waits for the peer's answer is gone: the route is closed when that comes. */
    public boolean withdraw(OutboundSlots slots) {
        failed(
                slots.endOpening(),
                slots.peer(),
                new Failure(ErrorCode.CANCELLED, slots.peer(), "the opening of a route was cancelled"));
        slots.close();
        return true;
    }

    private void failed(Completion opening, int peer, Failure failure) {
        if (opening != null) {
            ends.calledBack(opening, opening.fail(failure, 0, peer, 0, 0, 1));
        }
    }

    private void succeeded(Completion opening, int peer) {
        ends.calledBack(opening, opening.succeed(0, peer, 0, 0, 1));
    }

    private boolean tellClose(OutboundSlots slots) {
        boolean may = slots.mayTellClose();
        if (may) {
            ends.control(routes[slots.peer()], PacketKind.ROUTE_CLOSE, slots.receiverId(), 0, 0, Long.BYTES);
        }
        return may;
    }

    /** Something that waited has gone: perhaps the last message of a route that is closed. */
    public void moved() {
        if (closing > 0) {
            outbound.any(slots -> {
                closing -= tellClose(slots) ? 1 : 0;
                return closing == 0;
            });
        }
    }

    /** Closes those that the program left open: before the goodbye. */
    public void closeAll() {
        if (outbound.size() > 0) {
            outbound.any(slots -> {
                close(slots);
                return false;
            });
        }
    }

    /** A packet about a route, of the length that its kind has. */
    public void onPacket(int peer, int kind, long body) {
        long first = Memory.getLong(body);
        switch (kind) {
            case PacketKind.ROUTE_OPEN -> onOpen(peer, first, Memory.getLong(body + 8), Memory.getLong(body + 16));
            case PacketKind.ROUTE_READY ->
                onReady(peer, first, Memory.getLong(body + 8), Memory.getLong(body + 16), Memory.getLong(body + 24));
            case PacketKind.ROUTE_RELEASE -> onRelease(peer, first, Memory.getLong(body + 8));
            case PacketKind.ROUTE_CLOSE -> onClose(peer, first);
            default -> onClosed(peer, first);
        }
    }

    private void onOpen(int peer, long senderId, long maxBytes, long slots) {
        RemoteSlots memory = routes[peer].channel().remoteSlots();
        if (memory == null
                || slots < 1
                || slots > PersistentRoute.MOST_SLOTS
                || maxBytes < 1
                || maxBytes > Long.MAX_VALUE / 2 / slots) {
            peerFailed.corrupt(peer, "ROUTE_OPEN of " + slots + " slots of " + maxBytes + " bytes");
            return;
        }
        long more = InboundSlots.bytes(maxBytes, slots);
        RemoteReference reference = new RemoteReference();
        if (more > limitBytes - bytes || !memory.lend(peer, more, reference)) {
            ready(peer, senderId, bytes, RemoteReference.NO_REFERENCE, limitBytes);
            return;
        }
        bytes += more;
        InboundSlots made = new InboundSlots(this, routes[peer], ends, senderId, maxBytes, (int) slots, reference);
        ready(peer, senderId, inbound.add(made), reference.key, reference.address);
    }

    private void ready(int peer, long senderId, long second, long key, long address) {
        ends.control(routes[peer], PacketKind.ROUTE_READY, senderId, second, key, address, 0, 4 * Long.BYTES);
    }

    private void onReady(int peer, long id, long receiverId, long key, long address) {
        OutboundSlots slots = outbound.get(id);
        if (slots == null || slots.peer() != peer || !slots.answered()) {
            peerFailed.corrupt(peer, "ROUTE_READY for a route that isn't waiting for it");
        } else if (key == RemoteReference.NO_REFERENCE) {
            outbound.remove(id);
            refused(slots, slots.endOpening(), receiverId, address);
        } else if (!slots.ready(receiverId, key, address)) {
            // Who waits for it gets the failure of the peer.
            peerFailed.corrupt(
                    peer,
                    "ROUTE_READY says to write where nobody can: key 0x" + Long.toHexString(key) + ", address 0x"
                            + Long.toHexString(address));
        } else {
            opened(slots, slots.endOpening());
        }
    }

    private void opened(OutboundSlots slots, Completion opening) {
        if (opening != null) {
            succeeded(opening, slots.peer());
        } else if (slots.isClosed()) {
            tellClose(slots);
        }
    }

    /** The receiver has no slots for it: on purpose, or because there are too many already. */
    private void refused(OutboundSlots slots, Completion opening, long taken, long limit) {
        int peer = slots.peer();
        if (opening == null) {
            return;
        }
        if (limit == 0) {
            succeeded(opening, peer);
            return;
        }
        long wanted = InboundSlots.bytes(slots.maxBytes(), slots.slots());
        String route = "a route to rank " + peer + " with " + slots.slots() + " slots of " + slots.maxBytes()
                + " bytes needs " + wanted + " bytes there; ";
        failed(
                opening,
                peer,
                new Failure(
                        ErrorCode.NO_MEMORY,
                        peer,
                        route
                                + (wanted > limit - taken
                                        ? taken + " of the " + limit
                                                + " that rank may give to routes are taken: close others first, ask"
                                                + " for less, or raise "
                                                + Option.ROUTES_BYTES.property()
                                        : "its RDMA device takes no more memory: raise the limit of locked memory"
                                                + " there (ulimit -l), or ask for less")));
    }

    /**
     * Where a message was written to or, with ROUTE_START, is being written to.
     *
     * @return the slots, in one of which it lies or will; null when that can't be, and was told
     */
    public InboundSlots onData(int peer, int kind, long id, long slot, long messageBytes) {
        InboundSlots slots = inbound.get(id);
        String fault = slots == null || slots.peer() != peer
                ? "a route that it has not opened"
                : slots.fault(slot, messageBytes);
        if (fault != null) {
            peerFailed.corrupt(peer, PacketKind.name(kind) + " on " + fault);
            return null;
        }
        if (kind == PacketKind.ROUTE_START) {
            slots.begins((int) slot, messageBytes);
        }
        slots.arrived((int) slot);
        return slots;
    }

    /**
     * What a message was announced for is written.
     *
     * @return the slots; null when that can't be, and was told
     */
    public InboundSlots onEnd(int peer, long id, long slot, long messageBytes) {
        InboundSlots slots = inbound.get(id);
        if (slots == null || slots.peer() != peer || !slots.isAwaited(slot, messageBytes)) {
            peerFailed.corrupt(
                    peer, "ROUTE_END of " + messageBytes + " bytes in slot " + slot + ", where none were to come");
            return null;
        }
        return slots;
    }

    private void onRelease(int peer, long id, long released) {
        OutboundSlots slots = outbound.get(id);
        String fault = slots == null || slots.peer() != peer
                ? "ROUTE_RELEASE on a route that does not lead to it"
                : slots.onRelease(released);
        if (fault != null) {
            peerFailed.corrupt(peer, fault);
        }
    }

    private void onClose(int peer, long id) {
        InboundSlots slots = inbound.get(id);
        if (slots == null || slots.peer() != peer || slots.hasAwaited()) {
            peerFailed.corrupt(peer, "ROUTE_CLOSE of a route that it has not opened, or is writing to");
            return;
        }
        inbound.remove(id);
        ends.control(routes[peer], PacketKind.ROUTE_CLOSED, slots.senderId(), 0, 0, Long.BYTES);
        slots.end();
    }

    private void onClosed(int peer, long id) {
        OutboundSlots slots = outbound.get(id);
        if (slots == null || slots.peer() != peer || !slots.closed()) {
            peerFailed.corrupt(peer, "ROUTE_CLOSED for a route that was not closed");
        } else {
            forget(slots);
        }
    }

    /** Nobody writes or reads these slots any more. */
    void free(InboundSlots slots) {
        if (!isOver) {
            bytes -= slots.bytes();
            routes[slots.peer()].channel().remoteSlots().takeBack(slots.peer(), slots.lease());
        }
    }

    @Override
    public void begin(SendOperation operation) {
        writer.add(operation);
    }

    @Override
    public void begun(OutboundSlots slots, int slot, long messageBytes) {
        ends.control(
                routes[slots.peer()], PacketKind.ROUTE_END, slots.receiverId(), slot, messageBytes, 3 * Long.BYTES);
        moved();
    }

    @Override
    public void written(OutboundSlots slots) {
        forget(slots);
    }

    private void forget(OutboundSlots slots) {
        if (slots.isGone()) {
            outbound.remove(slots.id());
        }
    }

    public void onWritten(OutboundSlots.Slot slot, boolean ok) {
        SendOperation operation = slot.owner().onWritten(slot, ok);
        if (operation != null) {
            ends.sent(routes[slot.owner().peer()], operation, null);
        }
        forget(slot.owner());
    }

    /** True while the channel reads what is written to this peer. */
    public boolean isWriting(int peer) {
        return outbound.size() > 0 && outbound.any(slots -> slots.peer() == peer && slots.isWriting());
    }

    /** The peer was disconnected: nothing goes to its slots, and it writes to none here. */
    public void fail(int peer, Failure failure) {
        failOutbound(peer, failure);
        if (inbound.size() > 0) {
            inbound.drain(slots -> slots.peer() == peer, InboundSlots::end);
        }
    }

    private void failOutbound(int peer, Failure failure) {
        if (outbound.size() == 0) {
            return;
        }
        outbound.drain(slots -> slots.peer() == peer, slots -> {
            failOpening(slots, failure);
            closing -= slots.isClosed() && slots.isWritten() && !slots.isCloseSent() ? 1 : 0;
            for (SendOperation operation; (operation = slots.endNext()) != null; ) {
                ends.sent(routes[peer], operation, failure);
            }
        });
    }

    /** @return whether anybody waited */
    private boolean failOpening(OutboundSlots slots, Failure failure) {
        Completion opening = slots.endOpening();
        failed(opening, slots.peer(), failure);
        return opening != null;
    }

    /** The device closes: nobody waits for answers any more. */
    public void failOpenings(Failure failure) {
        if (outbound.size() > 0) {
            outbound.any(slots -> {
                if (failOpening(slots, failure)) {
                    // Nobody has it, nor will.
                    slots.close();
                }
                return false;
            });
        }
    }

    /** The device has ended; after the peers that something was written to were disconnected. */
    public void end(Failure failure) {
        isOver = true;
        for (Route route : routes) {
            failOutbound(route.peer(), failure);
        }
    }

    @Override
    public String toString() {
        return "PersistentRoutes[" + outbound.size() + " from here, " + inbound.size() + " to here, " + bytes + " of "
                + limitBytes + " bytes]";
    }
}
