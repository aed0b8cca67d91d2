package org.sluice.hybrid.route;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Coalescing;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.lock.BiasedLock;
import org.sluice.hybrid.request.Failure;

/**
 * The way to one peer: its channel, and what is on the way to it.
 *
 * <p><i>Thread</i>: everything under the send lock ({@link #lock}); whoever holds the progress lock may take it, never
 * the other way round. <i>Owns</i>: the operations on the way, and PendingSends, whose order is the order of matching.
 * <i>Fails</i>: after {@link #fail} every send returns the failure. <i>Proof</i>: {@code RouteTest}, the device
 * conformance suite.
 */
public final class Route {
    private final int peer;
    private final Locality locality;
    private final Channel channel;
    private final Endpoint endpoint;
    private final Abilities abilities;
    private final int switchLimitBytes;
    private final int copyLimitBytes;
    final EagerShare share;
    private final DeferredWork deferred;
    private final Counters counters = new Counters();

    private final BiasedLock lock;
    private final Fences fences;
    /** True while something waits to be driven; read without the lock. */
    private final AtomicBoolean work = new AtomicBoolean();

    private final PacketWriter writer;
    final PendingSends pending;
    final LentMessages loans;
    final StartedSends started;
    private final OperationPool pool;
    /** The channel has kept messages that it could not send yet. */
    private boolean isKept;
    /**
     * The longest message that may go eagerly before all else, negative where none may: {@link #unlockChanged} finds it
     * out.
     */
    private long room;

    private volatile Failure failure;
    /** Why no send begins any more, or null; those that have begun may go on. */
    private Failure refusal;

    public Route(
            int peer,
            Locality locality,
            Channel channel,
            int switchLimitBytes,
            long shareBytes,
            DeferredWork deferred,
            Fences fences) {
        this.peer = peer;
        this.locality = locality;
        this.channel = channel;
        this.endpoint = channel.endpoint(peer);
        this.abilities = new Abilities(channel);
        this.switchLimitBytes = Math.min(switchLimitBytes, channel.eagerLimitBytes());
        this.writer = new PacketWriter(channel, abilities, peer);
        this.pending = new PendingSends(writer, counters, channel.chunkBytes());
        this.started = new StartedSends(writer, counters);
        this.loans = new LentMessages(abilities.lending, writer, counters);
        this.copyLimitBytes = (int) Math.min(this.switchLimitBytes, loans.waitFromBytes() - 1L);
        this.share = new EagerShare(shareBytes, counters);
        this.room = share.left();
        this.deferred = deferred;
        this.fences = fences;
        this.lock = new BiasedLock(fences);
        this.pool = new OperationPool(lock, peer);
    }

    public int peer() {
        return peer;
    }

    public Locality locality() {
        return locality;
    }

    public Channel channel() {
        return channel;
    }

    /** Of the channel, beside what all channels do. */
    public Abilities abilities() {
        return abilities;
    }

    /** Of the channel, for small messages. */
    public Endpoint endpoint() {
        return endpoint;
    }

    public Counters counters() {
        return counters;
    }

    public int switchLimitBytes() {
        return switchLimitBytes;
    }

    /** The longest message that goes eagerly, and by copy whatever buffer it is in, when its caller waits. */
    public int copyLimitBytes() {
        return copyLimitBytes;
    }

    /** Eager messages that are not copied. */
    public LentMessages loans() {
        return loans;
    }

    /** Why nothing can be sent any more, or null. Any thread. */
    public Failure failure() {
        return failure;
    }

    /** As {@link BiasedLock#onOrphaned}. */
    public void onOrphaned(BiasedLock.Orphaned told) {
        lock.onOrphaned(told);
    }

    public void lock() {
        lock.lock();
    }

    public void unlock() {
        lock.unlock();
    }

    /** Once anything but {@link #room} itself has changed. */
    void unlockChanged() {
        room = refusal != null || pending.hasMessages() ? -1 : share.left();
        lock.unlock();
    }

    /** After unlocking: what was published is ordered before the flags that {@link Endpoint#signal} reads. */
    void signal() {
        fences.afterPublish();
        endpoint.signal();
    }

    /**
     * The hot path: sends at once or not at all. Takes and leaves the lock.
     *
     * @param bytes at most {@link #switchLimitBytes}
     * @return {@link Channel#SENT}, or {@link Channel#NO_RESOURCE}: then {@link #send} finds out what to do instead
     */
    public int trySendEager(int contextId, int tag, Object base, long address, int bytes) {
        int result = Channel.NO_RESOURCE;
        lock.lock();
        try {
            if (bytes <= room) {
                result = endpoint.trySendEager(contextId, tag, base, address, bytes);
                if (result == Channel.SENT) {
                    share.sent(bytes);
                    room -= EagerShare.charge(bytes);
                }
            }
        } finally {
            lock.unlock();
        }
        if (result == Channel.SENT) {
            signal();
        }
        return result;
    }

    /** An empty operation, pooled where possible. Takes and leaves the lock. */
    public SendOperation operation() {
        return pool.take();
    }

    /**
     * Starts an operation: sends it if there is room, else parks it in order. Takes and leaves the lock.
     *
     * @return true when it is over already (it went eagerly): the caller completes it
     */
    public boolean send(SendOperation operation) {
        boolean over;
        lock.lock();
        try {
            if (refusal != null) {
                return true;
            }
            int result = pending.hasMessages() ? Channel.NO_RESOURCE : attemptFirst(operation);
            // A peer that failed is told through the listener, which then takes the operation out of here.
            if (result < Channel.SENT) {
                pending.addMessage(operation);
                markWork();
            }
            over = result == Channel.SENT && operation.isOver();
        } finally {
            unlockChanged();
        }
        signal();
        return over;
    }

    /**
     * Whatever is thrown here, or by the bell, is thrown by the call that sends: of what has gone by copy, or not at
     * all, nobody reads the buffer.
     */
    private int attemptFirst(SendOperation operation) {
        int result = Channel.SENT;
        try {
            result = attempt(operation);
        } finally {
            if (result == Channel.SENT && operation.isOver()) {
                operation.giveBack(abilities.reading);
            }
        }
        return result;
    }

    private int attempt(SendOperation operation) {
        if (operation.slots == null) {
            return attemptOrdinarily(operation);
        }
        int result = operation.slots.attempt(operation, writer, counters);
        if (result == OutboundSlots.ELSEWHERE && (result = attemptOrdinarily(operation)) == Channel.SENT) {
            counters.increment(Counter.ROUTE_SLOTS_EXCEEDED);
        }
        return result;
    }

    private int attemptOrdinarily(SendOperation operation) {
        if (!operation.synchronous && operation.bytes <= switchLimitBytes) {
            if (operation.bytes <= share.left()) {
                int result = loans.lend(operation);
                result = result != Lending.BY_COPY
                        ? result
                        : writer.eager(operation.contextId, operation.tag, operation.base, operation.address, (int)
                                operation.bytes);
                if (result >= Channel.SENT) {
                    share.sent((int) operation.bytes);
                }
                return result;
            }
            counters.increment(Counter.EAGER_SHARE_EXCEEDED);
        }
        return started.start(operation);
    }

    /**
     * Sends a control packet, or parks it. Takes and leaves the lock.
     *
     * @return false when it is parked
     */
    public boolean sendControl(int kind, long first, long second, long third, int bytes) {
        return sendControl(true, kind, first, second, third, 0, 0, bytes);
    }

    /**
     * As above, with two words more.
     *
     * @param now false: it waits for {@link #drive}, which the caller sees to
     */
    public boolean sendControl(
            boolean now, int kind, long first, long second, long third, long fourth, long fifth, int bytes) {
        boolean sent;
        lock.lock();
        try {
            if (failure != null) {
                return true;
            }
            sent = pending.control(now, kind, first, second, third, fourth, fifth, bytes);
            if (!sent && now) {
                markWork();
            }
        } finally {
            lock.unlock();
        }
        signal();
        return sent;
    }

    void markWork() {
        work.setOpaque(true);
        deferred.set();
    }

    /** Whether {@link #drive} may have something to do; any thread, a hint. */
    public boolean hasWork() {
        return work.getOpaque();
    }

    /**
     * Sends what was parked and the next pieces of what is streamed. Under the progress lock; takes and leaves the send
     * lock.
     *
     * @param over takes the operations that ended by this; the caller completes them
     * @return how much it did
     */
    public int drive(List<SendOperation> over) {
        int done;
        lock.lock();
        try {
            done = driveInOrder(over) + pending.driveStream(over);
            work.setOpaque(isKept || !pending.isEmpty());
        } finally {
            unlockChanged();
        }
        if (done > 0) {
            signal();
        }
        return done;
    }

    private int driveInOrder(List<SendOperation> over) {
        Coalescing coalescing = abilities.coalescing;
        if (coalescing == null || failure != null || !isKept && !pending.hasSeveral()) {
            return pending.driveControls() + attemptPending(over);
        }
        coalescing.gather(peer);
        try {
            return pending.driveControls() + attemptPending(over);
        } finally {
            isKept = !coalescing.flush(peer);
        }
    }

    private int attemptPending(List<SendOperation> over) {
        int done = 0;
        for (SendOperation operation; failure == null && (operation = pending.firstMessage()) != null; done++) {
            int result = attempt(operation);
            if (result < Channel.SENT) {
                break;
            }
            if (result == Channel.SENT && operation.isOver()) {
                over.add(operation);
            }
            pending.removeFirstMessage();
        }
        return done;
    }

    /**
     * RNDV_REPLY came.
     *
     * @param read how many of the bytes the peer has
     * @return what is wrong with it, or null; an operation that is over with it goes to {@code over}. It is somewhere
     *     all the time: the route's end finds it
     */
    public String onReply(long sendId, long receiveId, long accepted, long read, List<SendOperation> over) {
        lock.lock();
        try {
            String wrong = started.refuse(sendId, accepted, read);
            if (wrong != null) {
                return wrong;
            }
            SendOperation operation = started.get(sendId);
            operation.receiveId = receiveId;
            operation.accepted = accepted;
            operation.streamed = read;
            if (accepted == 0) {
                over.add(operation);
            } else {
                pending.addStream(operation);
                markWork();
            }
            started.remove(sendId);
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The operation that has told a peer of its bytes by this id and waits for an answer; null when the peer invented
     * it.
     */
    public SendOperation started(long sendId) {
        lock.lock();
        try {
            return started.get(sendId);
        } finally {
            lock.unlock();
        }
    }

    /**
     * It was answered.
     *
     * @return the operation, which the route knows no more, or null when the peer invented it
     */
    public SendOperation onEnd(long sendId) {
        lock.lock();
        try {
            return started.remove(sendId);
        } finally {
            lock.unlock();
        }
    }

    /**
     * RELEASE came.
     *
     * @return what is wrong with it, or null
     */
    public String onRelease(long total) {
        lock.lock();
        try {
            return share.release(total);
        } finally {
            unlockChanged();
        }
    }

    /**
     * No send begins any more: the device is being closed, and what was said to have gone must go before the last
     * packet.
     */
    public void refuse(Failure reason) {
        lock.lock();
        refusal = refusal == null ? reason : refusal;
        unlockChanged();
    }

    /** Why no send begins any more, or null; under the progress lock. */
    public Failure refusal() {
        return refusal;
    }

    /**
     * Nothing goes to this peer any more.
     *
     * @param over takes every operation that was on the way
     */
    public void fail(Failure newFailure, List<SendOperation> over) {
        lock.lock();
        try {
            if (failure == null) {
                failure = newFailure;
                refusal = newFailure;
            }
            isKept = false;
            pending.fail(over);
            started.fail(over);
            loans.fail(over);
            work.setOpaque(false);
        } finally {
            unlockChanged();
        }
    }

    /**
     * Those in contexts from the lowest to the highest of which no byte has gone. Takes and leaves the lock.
     *
     * @param found takes them; they stay here
     */
    public void findUnmatched(int lowest, int highest, List<SendOperation> found) {
        lock.lock();
        try {
            started.table.any(operation -> {
                if (operation.contextId >= lowest && operation.contextId <= highest) {
                    found.add(operation);
                }
                return false;
            });
            for (SendOperation each = pending.messages.first(); each != null; each = each.next) {
                if (each.contextId >= lowest && each.contextId <= highest) {
                    found.add(each);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** True when nothing is on the way to this peer. Takes and leaves the lock. */
    public boolean isIdle() {
        lock.lock();
        try {
            return pending.isEmpty() && !isKept && started.size() == 0 && !loans.isLending();
        } finally {
            lock.unlock();
        }
    }

    /** Gives an operation back whose completion nobody looks at through it any more. Takes and leaves the lock. */
    public void recycle(SendOperation operation) {
        operation.clear();
        pool.give(operation);
    }

    /**
     * Takes back a send that no receive has matched: at once where the peer hasn't heard of it, else when the peer says
     * so.
     */
    public Withdrawal withdraw(SendOperation operation) {
        Withdrawal begun;
        lock();
        try {
            begun = pending.withdraw(operation)
                    ? Withdrawal.WITHDRAWN
                    : started.withdraw(operation) ? askFor(operation) : Withdrawal.TOO_LATE;
        } finally {
            unlockChanged();
        }
        if (begun == Withdrawal.ASKED_FOR) {
            signal();
        }
        return begun;
    }

    /** Under the send lock, under which the peer's failure would have taken the operation away. */
    private Withdrawal askFor(SendOperation operation) {
        if (pending.control(true, PacketKind.RNDV_CANCEL, operation.id, 0, 0, 0, 0, Long.BYTES)) {
            return Withdrawal.ASKED_FOR;
        }
        markWork();
        return Withdrawal.TO_BE_ASKED_FOR;
    }

    /**
     * RNDV_WITHDRAWN came.
     *
     * @return the operation, which is known here no more, or null when the peer was not asked
     */
    public SendOperation withdrawn(long sendId) {
        lock();
        try {
            return started.withdrawn(sendId);
        } finally {
            unlock();
        }
    }

    /** What looks at what is on the way. */
    public RouteInspection inspection() {
        return new RouteInspection(this);
    }

    @Override
    public String toString() {
        return "Route[to " + peer + " by " + channel.name() + ", " + pending + ", " + started.size() + " started, "
                + loans + (failure == null ? "" : ", failed: " + failure.message()) + "]";
    }
}
