package org.sluice.hybrid.protocol;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counters;
import org.sluice.device.layer.LayerActivity;
import org.sluice.device.layer.LayerNotice;
import org.sluice.device.layer.LayerWatcher;
import org.sluice.hybrid.operation.Choice;
import org.sluice.hybrid.operation.CompletedRequests;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.operation.PeerFailed;
import org.sluice.hybrid.operation.PeerFailures;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.operation.Witness;
import org.sluice.hybrid.persistent.PersistentRoutes;
import org.sluice.hybrid.progress.Duty;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.ServingTurn;
import org.sluice.hybrid.receive.Choices;
import org.sluice.hybrid.receive.Delivery;
import org.sluice.hybrid.receive.DirectReceives;
import org.sluice.hybrid.receive.Probes;
import org.sluice.hybrid.receive.Receiver;
import org.sluice.hybrid.receive.Source;
import org.sluice.hybrid.rendezvous.RendezvousReceiver;
import org.sluice.hybrid.rendezvous.RendezvousSender;
import org.sluice.hybrid.rendezvous.Turns;
import org.sluice.hybrid.request.Alternative;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.Guard;
import org.sluice.hybrid.request.RequestState;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.FasterWay;
import org.sluice.hybrid.route.OutboundSlots;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.SendOperation;

/**
 * Everything one device does between its callers and its channels.
 *
 * <p><i>Thread</i>: under the progress lock, where a method doesn't say otherwise. <i>Owns</i>: the protocols' state.
 * <i>Fails</i>: a peer's failure ends what concerns the peer; a broken invariant ends everything with its cause.
 * <i>Proof</i>: the device conformance suite.
 */
public final class Exchange implements Duty, PeerFailed, Delivery.Broken, LayerWatcher.Ending, LayerWatcher.Telling {
    private final Channels channels;
    private final int self;
    private final Route[] routes;
    private final DeferredWork deferred;
    private final Ends ends;
    private final PeerFailures failures;
    private final Delivery delivery;
    private final Receiver receiver;
    private final RendezvousReceiver rendezvous;
    private final RendezvousSender sender;
    private final PersistentRoutes persistent;
    private final ExchangeInspection inspection;
    private final PacketHandler packets;
    private final DirectReceives direct;
    private final Driving driving;
    private final Farewell farewell;
    private final Ending ending;
    /** Peers that failed while a channel was handing up; told when the round is over. */
    private final List<Failure> failed = new ArrayList<>();

    private final LayerNotices notices = new LayerNotices(this, this);
    private ProgressEngine engine;
    /**
     * What each round looks at, as plain fields: something is in {@link #failed}, or in {@link #notices}; the device
     * has ended; of something thrown, and its end is not complete.
     */
    private boolean hasFailed;

    private boolean hasNotices;
    private boolean ended;
    private boolean isFailing;
    /** No peer reads or writes memory of this program any more. */
    private boolean isCutOff;

    private final Turns.Load load = new Turns.Load();
    private final Guard guard = new Guard();

    /** @param peek whether completed requests are kept for Device.peek */
    public Exchange(
            int rank,
            Channel[] channels,
            Route[] routes,
            DeferredWork deferred,
            long shareBytes,
            boolean peek,
            Counters counters) {
        this.self = rank;
        this.routes = routes;
        this.deferred = deferred;
        this.ends = new Ends(rank, peek);
        this.failures = new PeerFailures(routes.length);
        this.rendezvous = new RendezvousReceiver(routes, ends, counters, this, load, FasterWay.SYSTEM);
        this.sender = new RendezvousSender(routes, ends, counters, this, load);
        this.persistent = new PersistentRoutes(routes, ends, this, sender);
        this.driving = new Driving(channels, routes, deferred, ends, persistent);
        this.farewell = new Farewell(rank, routes);
        this.delivery = new Delivery(Source.of(routes, shareBytes), ends, failures, rendezvous, counters, this);
        this.receiver = new Receiver(delivery, ends, failures, counters);
        this.direct = new DirectReceives(receiver, ends);
        this.packets = new PacketHandler(this, receiver, rendezvous, sender, persistent, routes);
        this.channels = new Channels(channels, packets);
        this.ending = new Ending(routes, driving, sender, persistent, rendezvous, receiver);
        this.inspection = new ExchangeInspection(routes, receiver, rendezvous, sender);
        for (Route route : routes) {
            route.onOrphaned(this);
        }
    }

    public void engine(ProgressEngine newEngine) {
        engine = newEngine;
        ends.engine(newEngine);
        delivery.leases.engine(newEngine);
    }

    /** As {@link RendezvousReceiver#shareCores}. */
    public void shareCores() {
        rendezvous.shareCores();
    }

    public void witness(Witness newWitness) {
        failures.witness(newWitness);
    }

    @Override
    public int work() {
        if (ended) {
            if (isFailing) {
                // What was thrown as everything ended left some of it.
                fail(failures.device().cause());
                return 0;
            }
            return farewell.isOver() ? 0 : farewell.tell();
        }
        driving.holdAnswers(true);
        int done = channels.poll(receiver.packetsWanted()) + driving.answers();
        if (deferred.isSet()) {
            done += driving.all();
        }
        if (load.messages != 0) {
            done += load.moved(rendezvous.drive() + sender.drive()) + driving.answers();
        }
        receiver.noticeFetched();
        driving.holdAnswers(false);
        if (hasFailed) {
            endFailed();
        }
        if (hasNotices && notices.isDue()) {
            hasNotices = false;
            notices.tell();
        }
        return done;
    }

    @Override
    public int lookFor(Goal goal) {
        if (goal instanceof ServingTurn) {
            return ended || isMoving() ? -1 : receiver.handlers().look();
        }
        Object operation = goal instanceof Completion ? ((Completion) goal).operation() : null;
        if (ended || isMoving() || !(operation instanceof ReceiveOperation)) {
            return -1;
        }
        long taken = receiver.takeOwn((ReceiveOperation) operation);
        return taken >= 0 ? 1 : taken == Endpoint.NOTHING ? 0 : -1;
    }

    @Override
    public boolean waitsForRoom() {
        return ended ? isFailing || !farewell.isOver() : deferred.isSet() || sender.isWritingIntoSlots();
    }

    @Override
    public boolean isPulling() {
        return load.messages != 0 && load.isMoving && !ended;
    }

    /**
     * A peer's memory can't be read for a while now: it has died, or it named memory that isn't there. Not from within
     * a poll.
     */
    @Override
    public void unreadable(int peer, String reason) {
        routes[peer].channel().checkPeers(packets);
        if (failed.stream().noneMatch(failure -> failure.peer() == peer)) {
            corrupt(peer, reason);
        }
    }

    @Override
    public void corrupt(int peer, String reason) {
        peerFailed(Failure.ofCorruptPeer(peer, reason));
    }

    /** Takes effect after the round: the channel that reports it is in the middle of its own work. */
    void peerFailed(Failure failure) {
        failed.add(failure);
        hasFailed = true;
    }

    private void endFailed() {
        hasFailed = false;
        for (int i = 0; i < failed.size(); ) {
            Failure failure = failed.get(i);
            int peer = failure.peer();
            if (failure.code() == ErrorCode.PEER_CLOSED
                    && (sender.halt(peer) | routes[peer].loans().isLending() | persistent.isWriting(peer))
                    && !PeerFailures.isToldAgain(failed, i)) {
                // It may have closed because it got what is on the way to it: that ends first, in some way.
                hasFailed = true;
                i++;
            } else {
                failed.remove(i);
                endOf(peer, failure);
            }
        }
    }

    private void endOf(int peer, Failure failure) {
        // The first counts: a peer's process may end right after its goodbye.
        if (failures.of(peer) == null) {
            failures.add(failure);
            ending.of(peer, failure);
            if (failures.isDeath(failure)) {
                notices.died(failure);
            }
        }
    }

    @Override
    public boolean prepareSleep() {
        // One that has ended takes no agreement.
        return ended || channels.prepareSleep();
    }

    @Override
    public void yielded() {
        channels.pollAllNext();
    }

    @Override
    public void arm() {
        if (!ended) {
            channels.arm();
        }
    }

    @Override
    public Guard guard() {
        return guard;
    }

    @Override
    public boolean hasCaught() {
        return guard.caught != null;
    }

    @Override
    public boolean isEndDue() {
        return guard.caught != null && (!ended || isFailing);
    }

    @Override
    public SluiceException broke(RuntimeException cause) {
        fail(cause);
        return ended();
    }

    @Override
    public void orphaned(Thread owner) {
        if (guard.caught == null) {
            guard.caught = new IllegalStateException(
                    "thread " + owner.getName() + " left a call of this device half-way, with a lock held");
        }
    }

    @Override
    public void endIfCaught() {
        if (hasCaught()) {
            endIfDue();
            // None if the caller has no stack left for that either.
            SluiceException ended = ended();
            throw ended != null ? ended : Failure.ofDevice(guard.caught).toException(null);
        }
    }

    /** Ends everything if {@link #isEndDue}. */
    public void endIfDue() {
        if (isEndDue()) {
            fail(guard.caught);
        }
    }

    @Override
    public void checkPeers() {
        endIfDue();
        if (hasCaught() && !isFailing && farewell.isOver()) {
            // Everything that anybody knew of has ended. The rest was in the hands of the call that was left.
            endLost();
        }
        if (failures.device() == null) {
            channels.checkPeers();
            endFailed();
            failures.look();
            notices.look();
        }
    }

    private void endLost() {
        if (!isCutOff) {
            // Before the program has its memory again: nobody knows what of it a peer was given to read or write.
            for (Route route : routes) {
                if (route.peer() != self) {
                    route.channel().disconnect(route.peer());
                }
            }
            isCutOff = true;
        }
        engine.endLost(failures.device());
    }

    /**
     * Ends a request that was in the hands of what was thrown, and in no list any more, once the device has ended.
     * Under the lock.
     */
    public void endLost(Completion completion) {
        endIfDue();
        Failure failure = failures.device();
        if (failure != null && !isFailing && !completion.isReached()) {
            ends.calledBack(completion, completion.fail(failure, -1, -1, -1, 0, 1));
        }
    }

    @Override
    public void fail(Throwable cause) {
        isFailing |= !ended;
        if (guard.caught == null && !(cause instanceof EndedOpen)) {
            // First: there may be no stack left for what follows, and others see that it is not complete.
            guard.caught = cause;
        }
        try {
            endAll(failures.ofDevice(cause));
            if (isFailing) {
                isFailing = false;
                // Before the peers hear of it, who take it that only views go on reading their memory.
                delivery.leases.endOfSenders();
                if (!farewell.begin(cause)) {
                    ends.controlsWait();
                }
            }
        } catch (Throwable e) {
            failures.unended(e);
            // The next round goes on with what is left, and somebody makes one.
            ends.controlsWait();
        }
    }

    /** Ends everything that is in flight, for one reason; nothing new begins. */
    public void end(Failure failure) {
        isFailing = false;
        endAll(failure);
    }

    private void endAll(Failure failure) {
        ended = true;
        farewell.onEnd(failure);
        failures.end(failure);
        ending.ofAll(failure);
    }

    /** Nothing begins any more; fails the receives that are not matched. */
    public void failPosted(Failure failure) {
        for (Route route : routes) {
            route.refuse(failure);
        }
        persistent.failOpenings(failure);
        receiver.failAll(failure);
    }

    /**
     * Ends what still reads the peers' memory: receives that matched, some of them a little later, and leases that
     * nobody closed.
     */
    public void endReceives(Failure failure) {
        rendezvous.stop(failure);
        endLeases();
    }

    /** Before the channels give their memory back. */
    public void endLeases() {
        delivery.leases.end();
    }

    /** Posts a receive for a buffer that was checked; the completion may be done when this returns. */
    public void post(
            Object buffer, long offset, long bytes, int contextId, int source, int tag, Completion completion) {
        ReceiveOperation operation = ends.receiveOperation(buffer, offset, bytes, contextId, source, tag, completion);
        try {
            receiver.post(operation);
        } catch (RuntimeException e) {
            throw broke(e);
        }
    }

    /** Large messages are on their way in, or something out: each receive makes a round for them. */
    public boolean isMoving() {
        return !rendezvous.isIdle() || !sender.isEmpty() || deferred.isSet();
    }

    /** As {@link org.sluice.device.layer.Layer#watch}. */
    public void watch(LayerWatcher watcher) {
        notices.watch(watcher);
        hasNotices = true;
    }

    void noticed(int peer, LayerNotice words) {
        notices.add(peer, words);
        hasNotices = true;
    }

    /** As {@link LayerWatcher#activities}. */
    public List<LayerActivity> activities() {
        return notices.activities();
    }

    /** As {@link org.sluice.device.layer.Layer#notice}. */
    @Override
    public void notice(int peer, LayerNotice words) {
        ends.control(
                routes[peer],
                PacketKind.LAYER_NOTICE,
                words.first(),
                words.second(),
                words.third(),
                words.fourth(),
                words.fifth(),
                PacketHandler.NOTICE_BYTES);
    }

    /** As {@link org.sluice.device.layer.Layer#lost}. */
    public SluiceException lost(int peer) {
        Failure failure = failures.of(peer);
        return failure == null ? null : failure.toException(null);
    }

    /** As {@link org.sluice.device.layer.Layer#end}. */
    @Override
    public void end(int context, int count, ErrorCode code, int peer, String message) {
        int highest = RequestState.LAYER_CONTEXT - context;
        endContexts(highest - count + 1, highest, new Failure(code, peer, message));
    }

    private void endContexts(int lowest, int highest, Failure failure) {
        receiver.endContexts(lowest, highest, failure);
        List<SendOperation> waiting = new ArrayList<>();
        for (Route route : routes) {
            route.findUnmatched(lowest, highest, waiting);
        }
        for (SendOperation send : waiting) {
            send.withdrawnFor = failure;
            sender.withdraw(send);
        }
    }

    /** Why nothing that waits for its receiver is sent there any more, or null. */
    public Failure endOf(int contextId) {
        return receiver.ended.of(contextId);
    }

    /** A request that a layer above ends; under the lock. */
    public void endOfLayer(Completion request, Failure failure, int source, int tag, long bytes, int elementSize) {
        boolean isToBeTold = failure == null
                ? request.succeed(RequestState.LAYER_CONTEXT, source, tag, bytes, elementSize)
                : request.fail(failure, RequestState.LAYER_CONTEXT, source, tag, bytes, elementSize);
        ends.told(request, isToBeTold);
    }

    /** As {@link #post}, of several receives of which one gets a message. */
    public void post(Choice choice, List<Alternative> alternatives, long[] bytes) {
        choices().make(choice, alternatives, bytes);
        try {
            choices().post(choice);
        } catch (RuntimeException e) {
            throw broke(e);
        }
    }

    /** Receives that go past the queue. */
    public DirectReceives direct() {
        return direct;
    }

    /** What receives have, and messages that came before them. */
    public Receiver receiver() {
        return receiver;
    }

    /** What takes a message to its receive. */
    public Delivery delivery() {
        return delivery;
    }

    /** What looks at all this. */
    public ExchangeInspection inspection() {
        return inspection;
    }

    /** Routes that were set up for many messages. */
    public PersistentRoutes persistent() {
        return persistent;
    }

    /** Those who wait for a message to be there; the completion carries its envelope. */
    public Probes probes() {
        return receiver.probes;
    }

    /** Receives of which one is to take a message. */
    public Choices choices() {
        return receiver.choices;
    }

    /** Runs something under the progress lock, for those who don't hold it; none that is called for each message. */
    public void locked(Runnable action) {
        engine.locked(action);
    }

    /**
     * Throws where nothing can come from this source any more, so that a program that only looks does not look for
     * ever.
     */
    public void checkReceivable(int sourceOrAny) {
        Failure failure = failures.forReceive(sourceOrAny);
        if (failure != null) {
            throw failure.toException(null);
        }
    }

    public boolean cancel(Completion completion) {
        if (completion.operation() instanceof OutboundSlots opening) {
            return persistent.withdraw(opening);
        }
        return completion.operation() instanceof SendOperation send
                ? sender.withdraw(send)
                : receiver.cancel(completion);
    }

    /** A long message was announced that goes into a slot of a persistent route. */
    public void beginIntoSlot(SendOperation operation) {
        sender.beginIntoSlot(operation);
        if (sender.isWritingIntoSlots()) {
            ends.controlsWait();
        }
    }

    /**
     * Ends a send that went at once, or that could not begin.
     *
     * @param failure why not, or null
     */
    public void endSend(Route route, SendOperation operation, Failure failure) {
        ends.sent(route, operation, failure);
    }

    public void acknowledge(int peer) {
        failures.acknowledge(peer);
    }

    /** For Device.peek. */
    public CompletedRequests completed() {
        return ends.completed();
    }

    /** As {@link Farewell#ofClose}; what follows, as {@link Farewell#ofUnmet}. */
    public BitSet sayGoodbye() {
        persistent.closeAll();
        return farewell.ofClose();
    }

    public void leaveUnmet(BitSet unmet, boolean areTold) {
        farewell.ofUnmet(unmet, areTold);
    }

    /** A rank to which something is still on the way, or -1; this one only where there is no other. */
    public int firstBusyPeer() {
        int busy = -1;
        for (Route route : routes) {
            if ((busy < 0 || busy == self)
                    && (!route.isIdle() || sender.isWriting(route.peer()) || persistent.isWriting(route.peer()))) {
                busy = route.peer();
            }
        }
        return busy;
    }

    /**
     * After the channels are closed: what a peer may not have got, of which no request has told; null where there is
     * nothing.
     */
    public SluiceException undelivered() {
        return farewell.undelivered(failures);
    }

    public boolean isReceiving() {
        return !rendezvous.isIdle();
    }

    /** Why the device as a whole ended, as an exception; null while it has not. */
    public SluiceException ended() {
        Failure failure = failures.device();
        return failure == null ? null : failure.toException(null);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(receiver + ", " + rendezvous + ", " + sender + ", " + persistent);
        for (Route route : routes) {
            text.append("\n  ").append(route);
        }
        return text.toString();
    }
}
