package org.sluice.hybrid.receive;

import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.match.PostedReceiveQueue;
import org.sluice.hybrid.match.UnexpectedMessageQueue;
import org.sluice.hybrid.operation.Choice;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.operation.PeerFailures;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.persistent.InboundSlots;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.RequestState;

/**
 * Brings messages and receives together, whichever came first.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: both queues and what waits in them. <i>Proof</i>:
 * {@code MatchModelTest}, the device conformance suite.
 */
public final class Receiver {
    private static final int BATCH = 16;

    public final PostedReceiveQueue posted = new PostedReceiveQueue();
    public final UnexpectedMessageQueue unexpected = new UnexpectedMessageQueue();
    public final Probes probes;
    public final Choices choices;
    public final Delivery delivery;
    public final Source[] sources;
    private final Ends ends;
    public final EndedContexts ended = new EndedContexts();
    private final PeerFailures failures;
    private final Counters counters;
    private final DirectReceive direct;
    /** Where messages for handlers go; null: nobody asked so far, and they wait among the unexpected. */
    private ForHandlers handlers;
    /** As {@code RendezvousSender}'s. */
    private final Failure cancelled =
            new Failure(ErrorCode.CANCELLED, -1, "the receive was cancelled before a message matched it");

    public Receiver(Delivery delivery, Ends ends, PeerFailures failures, Counters counters) {
        this.delivery = delivery;
        this.sources = delivery.sources;
        this.ends = ends;
        this.failures = failures;
        this.counters = counters;
        this.probes = new Probes(unexpected, failures, ended, ends);
        this.choices = new Choices(posted, unexpected, failures, ends, delivery);
        this.direct = new DirectReceive(delivery);
    }

    /** Posts a receive, or ends it with a message that is there already, or with the reason why none can come. */
    public void post(ReceiveOperation operation) {
        if (delivery.over() != null) {
            ends.failed(operation, delivery.over());
            return;
        }
        if (unexpected.size() != 0) {
            StoredMessage message =
                    (StoredMessage) unexpected.take(operation.contextId, operation.source, operation.tag);
            if (message != null) {
                delivery.receive(operation, message);
                return;
            }
        }
        Failure failure = ended.of(operation.contextId);
        failure = failure != null ? failure : failures.forReceive(operation.source);
        if (failure != null) {
            ends.failed(operation, failure);
        } else {
            posted.add(operation);
        }
    }

    /** As {@code Exchange.endContexts}, of what is received. */
    public void endContexts(int lowest, int highest, Failure failure) {
        ended.add(lowest, highest, failure);
        postDirect();
        choices.failEnded(ended);
        probes.failEnded();
    }

    /**
     * How many packets to take in one go: as many as receives are posted, as messages will find theirs. One more would
     * only have to be stored, and is better left in its ring.
     */
    public int packetsWanted() {
        return Math.max(1, Math.min(posted.size() + (handlers == null ? 0 : handlers.packetsWanted()), BATCH));
    }

    /** Null where nobody asked for handlers. */
    public ForHandlers handlers() {
        return handlers;
    }

    /** At the end of a round: messages for handlers that were on their way may be there. */
    public void noticeFetched() {
        if (handlers != null) {
            handlers.noticeFetched();
        }
    }

    /**
     * True when the next message of this source that fits a new receive goes to it: nothing is posted, stored or probed
     * for before.
     */
    boolean isNext(int source) {
        return delivery.over() == null
                && (unexpected.size() == 0 || unexpected.countFrom(source) == 0)
                && probes.isEmpty()
                && posted.isFirstOf(source, null)
                && failures.forReceive(source) == null;
    }

    /**
     * Looks for the message of a receive at its source alone.
     *
     * @return as {@link Endpoint#takeEager}, and FOR_POLL where that can't be told from there; the receive has ended
     *     when a message was taken
     */
    public long takeOwn(ReceiveOperation operation) {
        int source = operation.source;
        if (source == Device.ANY_SOURCE || !operation.isPosted() || !posted.isFirstOf(source, operation)) {
            return Endpoint.FOR_POLL;
        }
        Source from = sources[source];
        long taken = from.endpoint.takeEager(
                operation.contextId,
                operation.tag,
                operation.base,
                operation.address,
                operation.takenBytes,
                operation.elementSize);
        if (taken >= 0) {
            delivery.taken(from, Endpoint.takenBytes(taken));
            posted.remove(operation);
            ends.received(operation, source, Endpoint.takenTag(taken), Endpoint.takenBytes(taken));
        }
        return taken;
    }

    /** @return what to poll for, or null when the receive has to be posted */
    DirectReceive beginDirect(Object buffer, long offset, long bytes, int contextId, int source, int tag) {
        if (posted.size() != 0 || unexpected.size() != 0 || !isNext(source) || ended.of(contextId) != null) {
            return null;
        }
        direct.begin(buffer, offset, bytes, contextId, source, tag);
        return direct;
    }

    /** From now on it waits in the queue like any other. */
    void postDirect() {
        if (direct.isWaiting()) {
            ReceiveOperation operation = ends.receiveOperation();
            direct.post(operation);
            if (delivery.over() != null) {
                ends.failed(operation, delivery.over());
            } else {
                posted.add(operation);
            }
        }
    }

    /** @return whether a posted receive stands before a new one of this source */
    boolean isBehind(int source) {
        return posted.size() != 0 && (source == Device.ANY_SOURCE || !posted.isFirstOf(source, null));
    }

    public void onEager(int contextId, int peer, int tag, long address, int bytes) {
        if (direct.isWaiting()) {
            if (direct.take(contextId, peer, tag, address, bytes)) {
                delivery.taken(sources[peer], bytes);
                return;
            }
            postDirect();
        }
        onEagerForPosted(contextId, peer, tag, address, bytes);
    }

    private void onEagerForPosted(int contextId, int peer, int tag, long address, int bytes) {
        sources[peer].came(bytes);
        ReceiveOperation operation = (ReceiveOperation) posted.take(contextId, peer, tag);
        if (operation == null) {
            storeEager(contextId, peer, tag, address, bytes);
            return;
        }
        counters.increment(Counter.RECEIVED_EXPECTED);
        choices.settle(operation);
        delivery.deliver(operation, null, address, peer, tag, bytes);
        delivery.matchedEagerly(sources[peer], bytes);
    }

    private void storeEager(int contextId, int peer, int tag, long address, int bytes) {
        if (sources[peer].keep(address)) {
            store(delivery.store.kept(contextId, peer, tag, address, bytes));
            return;
        }
        if (handlers == null
                || contextId != RequestState.HANDLER_CONTEXT
                || !handlers.takeShort(peer, tag, address, bytes)) {
            StoredMessage message = delivery.store.eager(contextId, peer, tag, address, bytes);
            if (delivery.isLost(peer)) {
                delivery.giveBack(message);
                return;
            }
            store(message);
        }
        Delivery.countCopy(counters, bytes);
    }

    /** A message has come by its envelope: its bytes are with the sender, or in a slot. */
    public void onStart(int contextId, int peer, int tag, StoredMessage message) {
        postDirect();
        sources[peer].came(message.bytes);
        ReceiveOperation operation = (ReceiveOperation) posted.take(contextId, peer, tag);
        if (operation == null) {
            store(message);
            return;
        }
        counters.increment(Counter.RECEIVED_EXPECTED);
        choices.settle(operation);
        delivery.receive(operation, message);
    }

    /** A message that came by its envelope before is in its slot now. */
    public void onSlotEnd(int peer, InboundSlots slots, int slot) {
        delivery.ended(slots, slot);
        goOn(peer);
    }

    /** What the handlers of a peer's messages waited for is there, or will never be. */
    private void goOn(int peer) {
        if (handlers != null) {
            handlers.goOn(peer);
        }
    }

    private void store(StoredMessage message) {
        if (handlers != null && message.contextId == RequestState.HANDLER_CONTEXT) {
            handlers.arrived(message);
            return;
        }
        counters.increment(Counter.RECEIVED_UNEXPECTED);
        if (!probes.offer(message)) {
            unexpected.add(message);
        }
    }

    /** From now on messages for handlers go there; those that came before go first. */
    public void handlers(ForHandlers newHandlers) {
        handlers = newHandlers;
        for (StoredMessage message;
                (message = (StoredMessage)
                                unexpected.take(RequestState.HANDLER_CONTEXT, Device.ANY_SOURCE, Device.ANY_TAG))
                        != null; ) {
            handlers.arrived(message);
        }
        if (delivery.over() != null) {
            handlers.end(delivery.over());
        }
    }

    /**
     * The sender takes a message back. What has been matched, by a receive or a probe, is answered when it is received.
     */
    public void withdraw(int peer, long sendId) {
        StoredMessage message = unexpected.countFrom(peer) == 0
                ? null
                : (StoredMessage)
                        unexpected.newest(each -> each.source == peer && ((StoredMessage) each).isTold(sendId));
        if (message != null) {
            unexpected.remove(message);
            delivery.giveBack(message);
            ends.control(sources[peer].route, PacketKind.RNDV_WITHDRAWN, sendId, 0, 0, Long.BYTES);
        }
    }

    /** @return false when the receive or probe has its message, or is over */
    public boolean cancel(Completion completion) {
        Object operation = completion.operation();
        if (operation instanceof Probe) {
            probes.cancel((Probe) operation);
            return true;
        }
        Object receive = operation instanceof Choice ? ((Choice) operation).get(0) : operation;
        if (!(receive instanceof ReceiveOperation) || !posted.remove((ReceiveOperation) receive)) {
            return false;
        }
        choices.fail((ReceiveOperation) receive, cancelled);
        return true;
    }

    /** Fails the receives and probes that only this peer, or with a death any of them, could have ended. */
    public void fail(int peer, Failure failure) {
        postDirect();
        boolean wildcardsToo = failures.forReceive(Device.ANY_SOURCE) != null;
        choices.failOf(peer, wildcardsToo, failure);
        probes.fail(peer, wildcardsToo, failure);
        goOn(peer);
    }

    /** Fails everything that waits, or will. */
    public void failAll(Failure failure) {
        delivery.end(failure);
        if (handlers != null) {
            handlers.end(failure);
        }
        choices.failAll(failure);
        probes.failAll(failure);
        // Last, as it may need memory.
        postDirect();
    }

    @Override
    public String toString() {
        return "Receiver[" + posted.size() + " posted, " + unexpected.size() + " unexpected, " + probes + "]";
    }
}
