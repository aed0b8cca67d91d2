package org.sluice.hybrid.protocol;

import java.util.ArrayList;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.IdTable;
import org.sluice.hybrid.route.Route;

/**
 * The receiving half of rendezvous, after the match: reads the sender's memory piece by piece, or asks for the bytes and takes them as
 * they come.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: matched receives until their last byte. <i>Fails</i>: a peer that asks for what
 * it may not have is told to {@link PeerFailed}. <i>Proof</i>: the device conformance suite, {@code HostilePacketsTest}.
 */
final class RendezvousReceiver {
    private static final long PATIENCE_NANOS = 700_000_000L;

    /** {@link #pull}: a piece came, or is on its way. */
    private static final int MOVED = 1;
    /** {@link #pull}: nothing was done. */
    private static final int IDLE = 0;
    /** {@link #pull}: the receive has ended, or goes on as a stream. */
    private static final int OVER = -1;

    private final Route[] routes;
    private final Ends ends;
    private final Counters counters;
    private final PeerFailed peerFailed;
    private final ArrayList<ReceiveOperation> pulls = new ArrayList<>();
    /** Where the next round begins. */
    private int turn;
    private final IdTable<ReceiveOperation> streams = new IdTable<>();

    /** Takes the news that a peer wrote what no Sluice writes. */
    interface PeerFailed {
        void corrupt(int peer, String reason);

        /** Its memory can't be read: because it died, perhaps. */
        void unreadable(int peer, String reason);
    }

    RendezvousReceiver(Route[] routes, Ends ends, Counters counters, PeerFailed peerFailed) {
        this.routes = routes;
        this.ends = ends;
        this.counters = counters;
        this.peerFailed = peerFailed;
    }

    /** A receive has matched a message whose bytes are still with the sender. */
    void accept(ReceiveOperation operation, int peer, int tag, long messageBytes, long sendId, RemoteReference reference) {
        operation.completion.operation(null);
        operation.peer = peer;
        operation.messageTag = tag;
        operation.messageBytes = messageBytes;
        operation.sendId = sendId;
        operation.accepted = Math.min(messageBytes, operation.bytes);
        operation.received = 0;
        if (reference.key != RemoteReference.NO_REFERENCE) {
            operation.reference.set(reference.key, reference.address, reference.object);
            operation.owner = operation.base == null ? MemoryOwner.of(operation.buffer, operation.held) : null;
            if (pull(operation) != OVER) {
                pulls.add(operation);
            }
        } else {
            stream(operation);
        }
    }

    /** Asks for the bytes as packets. */
    private void stream(ReceiveOperation operation) {
        operation.received = 0;
        operation.id = operation.accepted == 0 ? 0 : streams.add(operation);
        ends.control(routes[operation.peer], PacketKind.RNDV_REPLY, operation.sendId, operation.id, operation.accepted, 3 * Long.BYTES);
        if (operation.accepted == 0) {
            ends.received(operation, operation.peer, operation.messageTag, operation.messageBytes);
        }
    }

    /** Reads the next piece, or begins to. @return {@link #MOVED}, {@link #IDLE}, or {@link #OVER}: it is no pull any more */
    private int pull(ReceiveOperation operation) {
        if (operation.halted) {
            return IDLE;
        }
        Channel channel = routes[operation.peer].channel();
        long left = operation.accepted - operation.received;
        if (left > 0) {
            int length = (int) Math.min(channel.getBytes(), left);
            int result = channel.get(operation.peer, operation.reference, operation.received, operation.owner, operation.base,
                    operation.address + operation.received, length, operation);
            if (result != Channel.GET_DONE) {
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
    private int begun(ReceiveOperation operation, int result, int length) {
        switch (result) {
            case Channel.GET_STARTED:
                operation.outstanding++;
                operation.received += length;
                counters.increment(Counter.GET_CHUNKS);
                return MOVED;
            case Channel.GET_BY_STREAM:
                if (operation.outstanding == 0) {
                    stream(operation);
                    return OVER;
                }
                return IDLE;
            case Channel.NO_RESOURCE:
                return IDLE;
            default:
                suspect(operation);
                return MOVED;
        }
    }

    private int end(ReceiveOperation operation) {
        ends.control(routes[operation.peer], PacketKind.RNDV_END, operation.sendId, 0, 0, Long.BYTES);
        ends.received(operation, operation.peer, operation.messageTag, operation.messageBytes);
        return OVER;
    }

    /** A piece that was on the way is there, or will never be: then the failure of the peer that follows ends the receive. */
    void onGetDone(ReceiveOperation operation, boolean ok) {
        operation.outstanding--;
        operation.halted |= !ok;
        if (operation.outstanding > 0) {
            return;
        }
        if (operation.ending != null) {
            pulls.remove(operation);
            ends.failed(operation, operation.ending);
        } else if (!operation.halted && operation.received == operation.accepted) {
            pulls.remove(operation);
            end(operation);
        }
    }

    /**
     * A process that is being killed loses its memory before anybody can see that it died, so it gets time to be found dead. The
     * operation stays in the list, for the failure or the next try to find it.
     */
    private void suspect(ReceiveOperation operation) {
        long now = System.nanoTime();
        if (operation.unreadableSince == 0) {
            operation.unreadableSince = now;
        } else if (now - operation.unreadableSince > PATIENCE_NANOS) {
            operation.unreadableSince = now;
            peerFailed.unreadable(operation.peer, "its message of " + operation.messageBytes + " bytes can't be read");
        }
    }

    /** One piece of every message that is being read; who found no room is the first the next time. @return how many pieces */
    int drive() {
        int done = 0;
        int refused = -1;
        for (int left = pulls.size(); left > 0 && !pulls.isEmpty(); left--) {
            turn = turn < pulls.size() ? turn : 0;
            ReceiveOperation operation = pulls.get(turn);
            int result = pull(operation);
            if (result == OVER) {
                pulls.remove(operation);
            } else {
                refused = result == IDLE && refused < 0 ? turn : refused;
                turn++;
            }
            done += result == IDLE ? 0 : 1;
        }
        turn = refused < 0 ? turn : refused;
        return done;
    }

    boolean isPulling() {
        return !pulls.isEmpty();
    }

    void onData(int peer, long id, long address, int bytes) {
        ReceiveOperation operation = streams.get(id);
        if (operation == null || operation.peer != peer) {
            peerFailed.corrupt(peer, "RNDV_DATA for a receive that asked it for nothing");
            return;
        }
        if (bytes <= 0 || bytes > operation.accepted - operation.received) {
            peerFailed.corrupt(peer, "RNDV_DATA of " + bytes + " bytes where " + (operation.accepted - operation.received) + " are missing");
            return;
        }
        Memory.copy(null, address, operation.base, operation.address + operation.received, bytes);
        counters.increment(Counter.COPIES);
        counters.add(Counter.COPIED_BYTES, bytes);
        operation.received += bytes;
        if (operation.received == operation.accepted) {
            streams.remove(id);
            ends.received(operation, peer, operation.messageTag, operation.messageBytes);
        }
    }

    /** True while a channel may write to a receive of this peer. */
    boolean isWritten(int peer) {
        for (int i = 0; i < pulls.size(); i++) {
            if (pulls.get(i).peer == peer && pulls.get(i).outstanding > 0) {
                return true;
            }
        }
        return false;
    }

    /** Fails what is on the way from a peer, from all with -1. Nothing is written to these receives any more. */
    void fail(int peerOrAll, Failure failure) {
        for (int i = pulls.size() - 1; i >= 0; i--) {
            if (peerOrAll < 0 || pulls.get(i).peer == peerOrAll) {
                ReceiveOperation operation = pulls.remove(i);
                ends.failed(operation, operation.ending == null ? failure : operation.ending);
            }
        }
        failStreams(peerOrAll, failure);
    }

    /** Fails everything: at once or, where a channel may write to the receive, when it has ended. */
    void stop(Failure failure) {
        for (int i = pulls.size() - 1; i >= 0; i--) {
            ReceiveOperation operation = pulls.get(i);
            if (operation.outstanding == 0) {
                pulls.remove(i);
                ends.failed(operation, failure);
            } else {
                operation.halted = true;
                operation.ending = failure;
            }
        }
        failStreams(-1, failure);
    }

    private void failStreams(int peerOrAll, Failure failure) {
        streams.drain(operation -> peerOrAll < 0 || operation.peer == peerOrAll, operation -> ends.failed(operation, failure));
    }

    boolean isIdle() {
        return pulls.isEmpty() && streams.size() == 0;
    }

    @Override
    public String toString() {
        return "RendezvousReceiver[" + pulls.size() + " pulled, " + streams.size() + " streamed]";
    }
}
