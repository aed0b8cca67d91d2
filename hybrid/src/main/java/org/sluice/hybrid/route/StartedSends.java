package org.sluice.hybrid.route;

import java.util.List;
import org.sluice.device.channel.Channel;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * Messages that one peer was told of by RNDV_START and has not answered.
 *
 * <p><i>Thread</i>: under the route's send lock. <i>Owns</i>: the operations in it, by the ids that the peer answers
 * with. <i>Proof</i>: {@code RouteTest}.
 */
final class StartedSends {
    private final PacketWriter writer;
    private final Counters counters;
    final IdTable<SendOperation> table = new IdTable<>();

    StartedSends(PacketWriter writer, Counters counters) {
        this.writer = writer;
        this.counters = counters;
    }

    /**
     * Tells the peer. Where something is thrown the operation is not in here, but for what the JVM throws late, of a
     * page that was lost before.
     *
     * @return what {@link Channel#trySend} does
     */
    int start(SendOperation operation) {
        operation.id = table.add(operation);
        int result = Channel.NO_RESOURCE;
        try {
            result = writer.start(operation);
        } finally {
            if (result != Channel.SENT && !operation.started) {
                table.remove(operation.id);
            }
        }
        if (result == Channel.SENT) {
            operation.started = true;
            counters.increment(Counter.SENT_RENDEZVOUS);
            counters.add(Counter.SENT_BYTES, operation.bytes);
        }
        return result;
    }

    /** Null when the peer invented the id. */
    SendOperation get(long sendId) {
        return table.get(sendId);
    }

    /** As {@link #get}; it is in here no more. */
    SendOperation remove(long sendId) {
        return table.remove(sendId);
    }

    /**
     * The peer is to be asked to forget it.
     *
     * @return false where it has been asked, or has answered
     */
    boolean withdraw(SendOperation operation) {
        boolean isNew = operation.started && !operation.withdrawing && table.get(operation.id) == operation;
        operation.withdrawing |= isNew;
        return isNew;
    }

    /**
     * The peer has forgotten it.
     *
     * @return null where it wasn't asked to
     */
    SendOperation withdrawn(long sendId) {
        SendOperation operation = table.get(sendId);
        if (operation == null || !operation.withdrawing) {
            return null;
        }
        table.remove(sendId);
        // Nobody over there knows where the bytes are any more.
        operation.started = false;
        return operation;
    }

    /** What is wrong with a peer's RNDV_REPLY, or null. */
    String refuse(long sendId, long accepted, long read) {
        SendOperation operation = table.get(sendId);
        if (operation == null) {
            return "RNDV_REPLY for a send that isn't waiting for one";
        }
        if (accepted < 0 || accepted > operation.bytes) {
            return "RNDV_REPLY asks for " + accepted + " of " + operation.bytes + " bytes";
        }
        return read < 0 || read > 0 && read >= accepted
                ? "RNDV_REPLY asks for what comes after " + read + " of " + accepted + " bytes"
                : null;
    }

    /**
     * Empties it.
     *
     * @param over takes all
     */
    void fail(List<SendOperation> over) {
        table.drainTo(over);
    }

    int size() {
        return table.size();
    }
}
