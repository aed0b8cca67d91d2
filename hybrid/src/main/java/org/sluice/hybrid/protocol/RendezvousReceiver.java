package org.sluice.hybrid.protocol;

import java.util.ArrayList;
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

    private final Route[] routes;
    private final Ends ends;
    private final Counters counters;
    private final PeerFailed peerFailed;
    private final ArrayList<ReceiveOperation> pulls = new ArrayList<>();
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
            if (pull(operation)) {
                pulls.add(operation);
            }
            return;
        }
        operation.id = operation.accepted == 0 ? 0 : streams.add(operation);
        ends.control(routes[peer], PacketKind.RNDV_REPLY, sendId, operation.id, operation.accepted, 3 * Long.BYTES);
        if (operation.accepted == 0) {
            ends.received(operation, peer, tag, messageBytes);
        }
    }

    /** Reads the next piece. @return true when it is not over: there is more to read, or the failure is to end it */
    private boolean pull(ReceiveOperation operation) {
        Route route = routes[operation.peer];
        int length = (int) Math.min(route.channel().chunkBytes(), operation.accepted - operation.received);
        if (length > 0) {
            if (!route.channel().get(operation.peer, operation.reference, operation.received, operation.base,
                    operation.address + operation.received, length)) {
                suspect(operation);
                return true;
            }
            operation.unreadableSince = 0;
            operation.received += length;
            counters.increment(Counter.GET_CHUNKS);
            counters.increment(Counter.COPIES);
            counters.add(Counter.COPIED_BYTES, length);
        }
        if (operation.received < operation.accepted) {
            return true;
        }
        ends.control(route, PacketKind.RNDV_END, operation.sendId, 0, 0, Long.BYTES);
        ends.received(operation, operation.peer, operation.messageTag, operation.messageBytes);
        return false;
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

    /** One piece of every message that is being read. @return how many pieces */
    int drive() {
        int done = 0;
        for (int i = pulls.size() - 1; i >= 0; i--) {
            if (i < pulls.size()) {
                ReceiveOperation operation = pulls.get(i);
                if (!pull(operation)) {
                    pulls.remove(operation);
                }
                done++;
            }
        }
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

    /** Fails what is on the way from a peer; from all with -1. */
    void fail(int peerOrAll, Failure failure) {
        for (int i = pulls.size() - 1; i >= 0; i--) {
            if (peerOrAll < 0 || pulls.get(i).peer == peerOrAll) {
                ends.failed(pulls.remove(i), failure);
            }
        }
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
