package org.sluice.hybrid.rendezvous;

import org.sluice.device.ErrorCode;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.Sharing;
import org.sluice.device.channel.Withdrawn;
import org.sluice.device.channel.Writing;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.operation.PeerFailed;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.FasterWay;
import org.sluice.hybrid.route.IdTable;
import org.sluice.hybrid.route.Route;

/**
 * The receiving half of rendezvous, after the match: reads the sender's memory piece by piece, or tells the sender
 * where to write, or asks for the bytes and takes them as they come.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: matched receives until their last byte. <i>Fails</i>: a peer
 * that asks for what it may not have is told to {@link PeerFailed}. <i>Proof</i>: the device conformance suite,
 * {@code HostilePacketsTest}, {@code OfferedReceivesTest}.
 */
public final class RendezvousReceiver extends Turns<ReceiveOperation> {
    /** Of a RNDV_REPLY: for all bytes; for those that come after what was read; for where to write them. */
    public static final int REPLY_BYTES = 3 * Long.BYTES;

    public static final int REST_BYTES = 4 * Long.BYTES;
    public static final int OFFER_BYTES = 5 * Long.BYTES;

    private static final long PATIENCE_NANOS = 700_000_000L;

    private final Route[] routes;
    private final Ends ends;
    private final Counters counters;
    private final PeerFailed peerFailed;
    /** Receives that asked their senders for the bytes: as a stream, or written. */
    public IdTable<ReceiveOperation> asked = new IdTable<>();
    /** The device closes: what peers still send to receives that were asked for is dropped. */
    private boolean isStopped;
    /** By rank: how many receives it may write to. */
    private final int[] offers;

    private final FasterWay.Clock clock;
    private final FasterWay.Warmth warmth = new FasterWay.Warmth();
    /** By rank, then by size; null before the first message that could go both ways. */
    private final FasterWay[][] ways;
    /** Ranks take turns on cores. */
    private boolean areCoresShared;

    public RendezvousReceiver(
            Route[] routes, Ends ends, Counters counters, PeerFailed peerFailed, Load load, FasterWay.Clock clock) {
        super(load);
        this.routes = routes;
        this.clock = clock;
        this.offers = new int[routes.length];
        this.ways = new FasterWay[routes.length][];
        this.ends = ends;
        this.counters = counters;
        this.peerFailed = peerFailed;
    }

    /** A receive has matched a message whose bytes are still with the sender. */
    public void accept(
            ReceiveOperation operation, int peer, int tag, long messageBytes, long sendId, RemoteReference reference) {
        operation.completion.operation(null);
        operation.peer = peer;
        operation.messageTag = tag;
        operation.messageBytes = messageBytes;
        operation.sendId = sendId;
        operation.accepted = Math.min(messageBytes, operation.bytes);
        operation.received = 0;
        // Of a channel that reads nothing only a peer that talks nonsense has one.
        if (reference.key != RemoteReference.NO_REFERENCE && routes[peer].abilities().reading != null) {
            operation.reference.set(reference.key, reference.address, reference.object);
            operation.owner = operation.base == null ? MemoryOwner.of(operation.buffer, operation.held) : null;
            if (isStreamFaster(operation)) {
                stream(operation);
            } else {
                begin(operation);
            }
        } else {
            stream(operation);
        }
    }

    /**
     * A receive has matched a message that its sender is writing into a slot.
     *
     * @return its id for {@link #awaited}
     */
    public long await(ReceiveOperation operation, int peer, int tag, long messageBytes) {
        operation.completion.operation(null);
        operation.peer = peer;
        operation.messageTag = tag;
        operation.messageBytes = messageBytes;
        operation.isInSlot = true;
        operation.id = asked.add(operation);
        return operation.id;
    }

    /** The message is there; null where its receive has ended before. */
    public ReceiveOperation awaited(long id) {
        return asked.remove(id);
    }

    private boolean isStreamFaster(ReceiveOperation operation) {
        int peer = operation.peer;
        if (areCoresShared || !routes[peer].abilities().reading.isGetOnTrial(operation.reference)) {
            return false;
        }
        if (ways[peer] == null) {
            ways[peer] = new FasterWay[FasterWay.CLASSES];
        }
        int size = FasterWay.sizeClass(operation.messageBytes);
        if (ways[peer][size] == null) {
            ways[peer][size] = new FasterWay(clock, counters, warmth, size);
        }
        operation.way = ways[peer][size];
        return operation.way.begin();
    }

    /**
     * Ranks of this machine take turns on cores: what a message takes by the clock is then mostly others' turns and
     * says nothing of its way, so that nothing is tried. One copy that needs no turn of the sender's is the better one.
     */
    public void shareCores() {
        areCoresShared = true;
    }

    /** For tests, which make it warm. */
    public FasterWay.Warmth warmth() {
        return warmth;
    }

    /** All bytes are there, or no more will come of a peer that lives. */
    private static void endTry(ReceiveOperation operation) {
        if (operation.way == null) {
            return;
        }
        if (operation.received < operation.messageBytes) {
            operation.way.spoil();
        }
        operation.way.end(operation.received);
    }

    /** Asks for the bytes as packets: for all that was not read before. */
    private void stream(ReceiveOperation operation) {
        operation.id = operation.accepted == 0 ? 0 : asked.add(operation);
        ends.control(
                routes[operation.peer],
                PacketKind.RNDV_REPLY,
                operation.sendId,
                operation.id,
                operation.accepted,
                operation.received,
                0,
                operation.received == 0 ? REPLY_BYTES : REST_BYTES);
        if (operation.accepted == 0) {
            endTry(operation);
            ends.received(operation, operation.peer, operation.messageTag, operation.messageBytes);
        }
    }

    /** Tells the sender where to write, or has it stream the bytes where that can't be. */
    private void offer(ReceiveOperation operation) {
        RemoteReference offered = operation.reference;
        // First: where there is no memory, nothing is offered.
        operation.id = asked.add(operation);
        Writing writing = routes[operation.peer].abilities().writing;
        if (writing == null
                || !writing.offer(
                        operation.peer,
                        operation.owner,
                        operation.base,
                        operation.address,
                        operation.accepted,
                        offered)) {
            asked.remove(operation.id);
            stream(operation);
            return;
        }
        operation.isOffered = true;
        offers[operation.peer]++;
        ends.control(
                routes[operation.peer],
                PacketKind.RNDV_REPLY,
                operation.sendId,
                operation.id,
                operation.accepted,
                offered.key,
                offered.address,
                OFFER_BYTES);
    }

    private void takeBack(ReceiveOperation operation) {
        // First: where that throws, whoever ends the receive again takes back nothing twice.
        operation.isOffered = false;
        offers[operation.peer]--;
        routes[operation.peer].abilities().writing.takeBack(operation.peer, operation.reference.lease);
    }

    /**
     * Reads the next piece, or begins to.
     *
     * @return OVER when it has ended, or goes on in another way
     */
    @Override
    int step(ReceiveOperation operation) {
        if (operation.halted) {
            return IDLE;
        }
        Reading reading = routes[operation.peer].abilities().reading;
        long left = operation.accepted - operation.received;
        if (left > 0) {
            int length = (int) Math.min(reading.getBytes(operation.reference), left);
            GetResult result = reading.get(
                    operation.peer,
                    operation.reference,
                    operation.received,
                    operation.owner,
                    operation.base,
                    operation.address + operation.received,
                    length,
                    operation);
            if (result != GetResult.DONE) {
                return begun(operation, result, length);
            }
            operation.unreadableSince = 0;
            operation.received += length;
            counters.increment(Counter.GET_CHUNKS);
            counters.increment(Counter.COPIES);
            counters.add(Counter.COPIED_BYTES, length);
        }
        if (operation.received < operation.accepted) {
            return MOVED;
        }
        return operation.outstanding > 0 ? IDLE : end(operation);
    }

    /** A piece is not there yet. */
    private int begun(ReceiveOperation operation, GetResult result, int length) {
        switch (result) {
            case STARTED:
                operation.outstanding++;
                operation.received += length;
                counters.increment(Counter.GET_CHUNKS);
                return MOVED;
            case BY_STREAM:
                if (operation.outstanding == 0) {
                    if (operation.way != null) {
                        operation.way.spoil();
                    }
                    stream(operation);
                    return OVER;
                }
                return IDLE;
            case BY_PUT:
                offer(operation);
                return OVER;
            case NO_RESOURCE:
                return IDLE;
            case TARGET_LOST:
                throw UserBuffer.lost(operation.buffer);
            default:
                suspect(operation);
                return MOVED;
        }
    }

    private void answerEnd(ReceiveOperation operation) {
        ends.control(routes[operation.peer], PacketKind.RNDV_END, operation.sendId, 0, 0, Long.BYTES);
    }

    private int end(ReceiveOperation operation) {
        Sharing sharing = routes[operation.peer].abilities().sharing;
        Withdrawn withdrawn = sharing == null ? Withdrawn.NO : sharing.withdrawn(operation.peer);
        if (withdrawn == Withdrawn.CORRUPT) {
            // Its failure finds this receive here, and ends it.
            peerFailed.unreadable(
                    operation.peer,
                    "whether it still has a message of " + operation.messageBytes + " bytes can't be told");
            return IDLE;
        }
        endTry(operation);
        if (withdrawn != Withdrawn.NO) {
            // What was read last may be something else already. No answer: nobody waits for one.
            boolean hasClosed = withdrawn == Withdrawn.BY_CLOSE;
            ends.consumed(
                    operation,
                    operation.peer,
                    operation.messageTag,
                    operation.messageBytes,
                    new Failure(
                            hasClosed ? ErrorCode.PEER_CLOSED : ErrorCode.PEER_DEAD,
                            operation.peer,
                            "rank " + operation.peer
                                    + " gave up a message of " + operation.messageBytes
                                    + " bytes before all of it was read: "
                                    + (hasClosed
                                            ? "it closed its device"
                                            : "its device failed or was left open, or it cut this rank off")));
            return OVER;
        }
        answerEnd(operation);
        ends.received(operation, operation.peer, operation.messageTag, operation.messageBytes);
        return OVER;
    }

    /**
     * A piece that was on the way is there, or will never be: then the failure of the peer that follows ends the
     * receive.
     */
    public void onGetDone(ReceiveOperation operation, boolean ok) {
        operation.outstanding--;
        operation.halted |= !ok;
        if (operation.outstanding > 0) {
            return;
        }
        if (operation.ending != null) {
            remove(operation);
            ends.failed(operation, operation.ending);
        } else if (!operation.halted && operation.received == operation.accepted) {
            remove(operation);
            end(operation);
        }
    }

    /**
     * A process that is being killed loses its memory before anybody can see that it died, so it gets time to be found
     * dead. The operation stays in the list, for the failure or the next try to find it.
     */
    private void suspect(ReceiveOperation operation) {
        long now = clock.nanos();
        if (operation.unreadableSince == 0) {
            operation.unreadableSince = now;
        } else if (now - operation.unreadableSince > PATIENCE_NANOS) {
            operation.unreadableSince = now;
            peerFailed.unreadable(operation.peer, "its message of " + operation.messageBytes + " bytes can't be read");
        }
    }

    public void onData(int peer, long id, long address, int bytes) {
        ReceiveOperation operation = asked.get(id);
        if (operation == null && isStopped) {
            return;
        }
        if (operation == null || operation.peer != peer || operation.isOffered || operation.isInSlot) {
            peerFailed.corrupt(peer, "RNDV_DATA for a receive that asked it for nothing");
            return;
        }
        if (bytes <= 0 || bytes > operation.accepted - operation.received) {
            peerFailed.corrupt(
                    peer,
                    "RNDV_DATA of " + bytes + " bytes where " + (operation.accepted - operation.received)
                            + " are missing");
            return;
        }
        copy(operation, address, bytes);
        String lost = routes[peer].abilities().lostMemory();
        if (lost != null) {
            peerFailed.corrupt(peer, lost);
            return;
        }
        operation.received += bytes;
        if (operation.received == operation.accepted) {
            asked.remove(id);
            endTry(operation);
            ends.received(operation, peer, operation.messageTag, operation.messageBytes);
        }
    }

    private void copy(ReceiveOperation operation, long from, int bytes) {
        Memory.copy(null, from, operation.base, operation.address + operation.received, bytes);
        if (operation.isMapped) {
            Memory.settle();
        }
        counters.increment(Counter.COPIES);
        counters.add(Counter.COPIED_BYTES, bytes);
    }

    /** The sender has written, and will write no more. */
    public void onWritten(int peer, long id, long bytes) {
        ReceiveOperation operation = asked.get(id);
        if (operation == null || operation.peer != peer || !operation.isOffered) {
            peerFailed.corrupt(peer, "RNDV_END for a receive that it was to write nothing to");
        } else if (bytes != operation.accepted) {
            peerFailed.corrupt(peer, "RNDV_END after " + bytes + " bytes of " + operation.accepted);
        } else {
            asked.remove(id);
            takeBack(operation);
            if (operation.ending != null) {
                ends.failed(operation, operation.ending);
            } else {
                ends.received(operation, peer, operation.messageTag, operation.messageBytes);
            }
        }
    }

    /** True while a channel, or the peer, may write to a receive of this peer. */
    public boolean isWritten(int peer) {
        for (int i = 0; i < size(); i++) {
            if (get(i).peer == peer && get(i).outstanding > 0) {
                return true;
            }
        }
        return offers[peer] > 0;
    }

    /** Fails what is on the way from a peer, from all with -1. Nothing is written to these receives any more. */
    public void fail(int peerOrAll, Failure failure) {
        if (asked.size() > 0) {
            asked.drain(operation -> peerOrAll < 0 || operation.peer == peerOrAll, operation -> {
                // One whose question broke off is there too.
                remove(operation);
                if (operation.isOffered) {
                    takeBack(operation);
                }
                ends.failed(operation, operation.ending == null ? failure : operation.ending);
            });
        }
        for (int i = size() - 1; i >= 0; i--) {
            ReceiveOperation operation = get(i);
            if (peerOrAll < 0 || operation.peer == peerOrAll) {
                remove(operation);
                ends.failed(operation, operation.ending == null ? failure : operation.ending);
            }
        }
    }

    /** Fails everything: at once or, where a channel or the sender may write to the receive, when that has ended. */
    public void stop(Failure failure) {
        isStopped = true;
        for (int i = size() - 1; i >= 0; i--) {
            ReceiveOperation operation = get(i);
            if (operation.outstanding == 0) {
                remove(operation);
                ends.failed(operation, failure);
            } else {
                operation.halted = true;
                operation.ending = failure;
            }
        }
        if (asked.size() > 0) {
            asked.drain(
                    operation -> {
                        operation.ending = failure;
                        return !operation.isOffered;
                    },
                    operation -> ends.failed(operation, failure));
        }
    }

    public boolean isIdle() {
        return isEmpty() && asked.size() == 0;
    }

    @Override
    public String toString() {
        return "RendezvousReceiver[" + size() + " pulled, " + asked.size() + " streamed or written]";
    }
}
