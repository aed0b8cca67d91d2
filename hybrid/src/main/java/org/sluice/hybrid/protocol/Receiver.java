package org.sluice.hybrid.protocol;

import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.match.PostedReceiveQueue;
import org.sluice.hybrid.match.UnexpectedMessageQueue;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.EagerShare;
import org.sluice.hybrid.route.Route;

/**
 * Brings messages and receives together, whichever came first.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: both queues and what waits in them. <i>Proof</i>:
 * {@code MatchModelTest}, the device conformance suite.
 */
final class Receiver {
    /** A sender learns at every quarter of its smallest share, at the latest, what became of its eager messages. */
    private static final long RELEASE_STEP_LIMIT = 256 << 10;

    private static final int BATCH = 16;

    final PostedReceiveQueue posted = new PostedReceiveQueue();
    final UnexpectedMessageQueue unexpected = new UnexpectedMessageQueue();
    final Probes probes;
    final Choices choices;
    private final StoredMessages store = new StoredMessages();
    final Source[] sources;
    private final Ends ends;
    final EndedContexts ended = new EndedContexts();
    private final PeerFailures failures;
    private final RendezvousReceiver rendezvous;
    private final Counters counters;
    private final Delivery delivery;
    private final DirectReceive direct = new DirectReceive(this);
    private final long releaseStep;
    /** Where messages for handlers go; null: nobody asked so far, and they wait among the unexpected. */
    private HandlerMessages handlers;
    /** As {@link RendezvousSender}'s. */
    private final Failure cancelled =
            new Failure(ErrorCode.CANCELLED, -1, "the receive was cancelled before a message matched it");
    /** Why nothing is received any more, or null. */
    private Failure over;

    Receiver(
            Route[] routes,
            Ends ends,
            PeerFailures failures,
            RendezvousReceiver rendezvous,
            Counters counters,
            long shareBytes) {
        this.sources = new Source[routes.length];
        for (int peer = 0; peer < routes.length; peer++) {
            sources[peer] = new Source(routes[peer]);
        }
        this.ends = ends;
        this.failures = failures;
        this.rendezvous = rendezvous;
        this.counters = counters;
        this.delivery = new Delivery(ends, counters, routes);
        this.probes = new Probes(unexpected, failures, ended, ends);
        this.choices = new Choices(posted, unexpected, failures, ends, this);
        this.releaseStep = Math.min(shareBytes / 4, RELEASE_STEP_LIMIT);
    }

    /** Posts a receive, or ends it with a message that is there already, or with the reason why none can come. */
    void post(ReceiveOperation operation) {
        if (over != null) {
            ends.failed(operation, over);
            return;
        }
        if (unexpected.size() != 0) {
            StoredMessage message =
                    (StoredMessage) unexpected.take(operation.contextId, operation.source, operation.tag);
            if (message != null) {
                receive(operation, message);
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

    /** As {@link Exchange#endContexts}, of what is received. */
    void endContexts(int lowest, int highest, Failure failure) {
        ended.add(lowest, highest, failure);
        postDirect();
        choices.failEnded(ended);
        probes.failEnded();
    }

    /** Receives a message that was stored, and is out of the queue. */
    void receive(ReceiveOperation operation, StoredMessage message) {
        deliver(operation, message);
        store.recycle(message);
    }

    private void deliver(ReceiveOperation operation, StoredMessage message) {
        if (message.slots != null) {
            receiveFromSlot(operation, message);
        } else if (message.rendezvous) {
            Failure failure = over != null ? over : failures.of(message.source);
            if (failure != null) {
                ends.failed(operation, failure);
            } else {
                rendezvous.accept(
                        operation, message.source, message.tag, message.bytes, message.sendId, message.reference);
            }
        } else {
            delivery.deliver(operation, message.payload, message.address, message.source, message.tag, message.bytes);
            if (message.kept) {
                sources[message.source].route.channel().giveBack(message.address);
            }
            matchedEagerly(sources[message.source], message.bytes);
        }
    }

    /** What arrived there is received also from a peer that is gone; its memory is this device's. */
    private void receiveFromSlot(ReceiveOperation operation, StoredMessage message) {
        if (over != null) {
            ends.failed(operation, over);
            return;
        }
        delivery.deliver(
                operation, null, message.slots.address(message.slot), message.source, message.tag, message.bytes);
        message.slots.release(message.slot);
    }

    /** Why nothing is received any more, or null. */
    Failure over() {
        return over;
    }

    /** False once the device closes: then nothing is read in place any more. */
    boolean isReceiving() {
        return over == null;
    }

    /**
     * How many packets to take in one go: as many as receives are posted, as messages will find theirs. One more would
     * only have to be stored, and is better left in its ring.
     */
    int packetsWanted() {
        return Math.max(1, Math.min(posted.size() + (handlers == null ? 0 : handlers.packetsWanted()), BATCH));
    }

    /** Null where nobody asked for handlers. */
    HandlerMessages handlers() {
        return handlers;
    }

    /** At the end of a round: messages for handlers that were on their way may be there. */
    void noticeFetched() {
        if (handlers != null) {
            handlers.noticeFetched();
        }
    }

    /**
     * True when the next message of this source that fits a new receive goes to it: nothing is posted, stored or probed
     * for before.
     */
    boolean isNext(int source) {
        return over == null
                && (unexpected.size() == 0 || unexpected.countFrom(source) == 0)
                && probes.isEmpty()
                && posted.isFirstOf(source, null)
                && failures.forReceive(source) == null;
    }

    /**
     * Looks for the message of a receive at its source alone.
     *
     * @return as {@link Channel#takeEager}, and FOR_POLL where that can't be told from there; the receive has ended
     *     when a message was taken
     */
    long takeOwn(ReceiveOperation operation) {
        int source = operation.source;
        if (source == Device.ANY_SOURCE || !operation.isPosted() || !posted.isFirstOf(source, operation)) {
            return Channel.FOR_POLL;
        }
        long taken = takeEager(
                operation.contextId,
                source,
                operation.tag,
                operation.base,
                operation.address,
                operation.takenBytes,
                operation.elementSize);
        if (taken >= 0) {
            posted.remove(operation);
            ends.received(operation, source, Channel.takenTag(taken), Channel.takenBytes(taken));
        }
        return taken;
    }

    /** As {@link Channel#takeEager}, for the receive that is next. */
    long takeEager(int contextId, int source, int tag, Object base, long address, long bytes, int elementSize) {
        Source from = sources[source];
        long taken = from.endpoint.takeEager(contextId, tag, base, address, bytes, elementSize);
        if (taken >= 0) {
            countTaken(from, Channel.takenBytes(taken));
        }
        return taken;
    }

    /** One call where nearly all looks find nothing, as in {@code RingReader}. */
    private void countTaken(Source from, int length) {
        from.came(length);
        counters.increment(Counter.RECEIVED_EXPECTED);
        Delivery.countCopy(counters, length);
        matchedEagerly(from, length);
    }

    /** @return what to poll for, or null when the receive has to be posted */
    DirectReceive beginDirect(
            int contextId, int source, int tag, Object buffer, Object base, long address, long bytes, int elementSize) {
        if (posted.size() != 0 || unexpected.size() != 0 || !isNext(source) || ended.of(contextId) != null) {
            return null;
        }
        direct.begin(contextId, source, tag, buffer, base, address, bytes, elementSize);
        return direct;
    }

    /** From now on it waits in the queue like any other. */
    void postDirect() {
        if (direct.isWaiting()) {
            ReceiveOperation operation = ends.receiveOperation();
            direct.post(operation);
            if (over != null) {
                ends.failed(operation, over);
            } else {
                posted.add(operation);
            }
        }
    }

    /** @return whether a posted receive stands before a new one of this source */
    boolean isBehind(int source) {
        return posted.size() != 0 && (source == Device.ANY_SOURCE || !posted.isFirstOf(source, null));
    }

    void onEager(int peer, int contextId, int tag, long address, int bytes) {
        if (direct.isWaiting()) {
            if (direct.take(contextId, peer, tag, address, bytes)) {
                countTaken(sources[peer], bytes);
                return;
            }
            postDirect();
        }
        onEagerForPosted(peer, contextId, tag, address, bytes);
    }

    private void onEagerForPosted(int peer, int contextId, int tag, long address, int bytes) {
        sources[peer].came(bytes);
        ReceiveOperation operation = (ReceiveOperation) posted.take(contextId, peer, tag);
        if (operation == null) {
            storeEager(peer, contextId, tag, address, bytes);
            return;
        }
        counters.increment(Counter.RECEIVED_EXPECTED);
        choices.settle(operation);
        delivery.deliver(operation, null, address, peer, tag, bytes);
        matchedEagerly(sources[peer], bytes);
    }

    private void storeEager(int peer, int contextId, int tag, long address, int bytes) {
        if (sources[peer].route.channel().keep(address)) {
            store(store.kept(contextId, peer, tag, address, bytes));
            return;
        }
        if (handlers == null
                || contextId != HandlerMessages.CONTEXT_ID
                || !handlers.takeShort(peer, tag, address, bytes)) {
            StoredMessage message = store.eager(contextId, peer, tag, address, bytes);
            if (isLost(peer)) {
                store.recycle(message);
                return;
            }
            store(message);
        }
        Delivery.countCopy(counters, bytes);
    }

    /** A message has come by its envelope: its bytes are with the sender, or in a slot. */
    void onStart(int peer, int contextId, int tag, StoredMessage message) {
        postDirect();
        sources[peer].came(message.bytes);
        ReceiveOperation operation = (ReceiveOperation) posted.take(contextId, peer, tag);
        if (operation == null) {
            store(message);
            return;
        }
        counters.increment(Counter.RECEIVED_EXPECTED);
        choices.settle(operation);
        receive(operation, message);
    }

    /** As {@link Delivery#isLost}. */
    boolean isLost(int peer) {
        return delivery.isLost(peer);
    }

    StoredMessages stored() {
        return store;
    }

    private void store(StoredMessage message) {
        if (handlers != null && message.contextId == HandlerMessages.CONTEXT_ID) {
            handlers.arrived(message);
            return;
        }
        counters.increment(Counter.RECEIVED_UNEXPECTED);
        if (!probes.offer(message)) {
            unexpected.add(message);
        }
    }

    /** Eager bytes of this peer are no longer stored here: tells it now and then. */
    void matchedEagerly(Source from, long bytes) {
        from.unreleased += EagerShare.charge(bytes);
        if (from.unreleased >= releaseStep) {
            ends.control(from.route, PacketKind.RELEASE, from.release(), 0, 0, Long.BYTES);
        }
    }

    /**
     * A message that a matched probe took is read where the channel keeps it, and {@link Channel#giveBack given back}
     * later.
     */
    void takenInPlace(StoredMessage message) {
        sources[message.source].route.channel().show(message.address);
        matchedEagerly(sources[message.source], message.bytes);
        store.recycle(message);
    }

    void giveBack(StoredMessage message) {
        store.recycle(message);
    }

    /** From now on messages for handlers go there; those that came before go first. */
    void handlers(HandlerMessages newHandlers) {
        handlers = newHandlers;
        for (StoredMessage message;
                (message = (StoredMessage)
                                unexpected.take(HandlerMessages.CONTEXT_ID, Device.ANY_SOURCE, Device.ANY_TAG))
                        != null; ) {
            handlers.arrived(message);
        }
        if (over != null) {
            handlers.end(over);
        }
    }

    /**
     * The sender takes a message back. What has been matched, by a receive or a probe, is answered when it is received.
     */
    void withdraw(int peer, long sendId) {
        StoredMessage message = unexpected.countFrom(peer) == 0
                ? null
                : (StoredMessage)
                        unexpected.newest(each -> each.source == peer && ((StoredMessage) each).isTold(sendId));
        if (message != null) {
            unexpected.remove(message);
            store.recycle(message);
            ends.control(sources[peer].route, PacketKind.RNDV_WITHDRAWN, sendId, 0, 0, Long.BYTES);
        }
    }

    /** @return false when the receive or probe has its message, or is over */
    boolean cancel(Completion completion) {
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
    void fail(int peer, Failure failure) {
        postDirect();
        boolean wildcardsToo = failures.forReceive(Device.ANY_SOURCE) != null;
        choices.failOf(peer, wildcardsToo, failure);
        probes.fail(peer, wildcardsToo, failure);
    }

    /** Fails everything that waits, or will. */
    void failAll(Failure failure) {
        over = over == null ? failure : over;
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
