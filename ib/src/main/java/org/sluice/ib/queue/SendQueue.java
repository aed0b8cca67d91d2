package org.sluice.ib.queue;

import java.util.ArrayDeque;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.ib.wire.BundleWriter;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * The send work requests of one connection: a packet is copied into a registered slot and posted with one native call. Only some work
 * requests ask for a completion; one that comes retires all before it, because a reliable connection completes in order. A packet whose body
 * stays where it is ({@link #lend}) asks for its own, as its sender waits for that.
 *
 * <p>Between {@link #gather} and {@link #flush} messages are packed into one slot and leave with one work request. Its credit was taken, and the window
 * looked at, before the first was packed, and the window gets no less until it leaves; so only the library can still refuse that, and then it goes before anything
 * else.
 *
 * <p><i>Thread</i>: {@link #trySend}, {@link #lend}, {@link #gather} and {@link #flush} under the peer's send lock; {@link #retire} and {@link #isRetired}
 * under the progress lock. <i>Owns</i>: the slots on the way, until their completion, and that of the open bundle. <i>Fails</i>: a refused post
 * leaves the queue pair dead: {@link #fault}. <i>Proof</i>: {@code SendQueueTest}, {@code IbChannelRxeTest}, {@code VerbsFaultsRxeTest}.
 */
public final class SendQueue implements AutoCloseable {
    private static final int ENOMEM = 12;

    private final VerbsCalls verbs;
    private final SendBuffers buffers;
    private final Credits credits;
    private final Counters counters;
    private final int peer;
    private final int window;
    /** How much of the window messages take that leave by themselves, unless they are lent: those can't share. */
    private final int alone;
    /** Work requests beyond the window that control packets may use. */
    private final int controlReserve;
    private final int signalEvery;
    private final long memory;
    private final WorkRequest request;
    private final int[] slots;
    /** Who lent the body, at the same places; null where it was copied. */
    private final Object[] tickets;
    private final BundleWriter bundle;
    /** Of the open bundle. */
    private int bundleSlot;
    private boolean isGathering;
    private final WrittenSends written = new WrittenSends();
    /** Whether credit was taken for the packet that is being sent; for an open bundle it always was. */
    private boolean hasCredit;

    private long queuePair;
    /** Written under the send lock after the slot's number; {@link #retire} reads it before that. */
    private volatile long posted;
    /** Written under the progress lock after the slots were given back; a sender reads it before it takes their places. */
    private volatile long retired;
    private volatile long lastSignalled;
    private volatile String fault;
    private int unsignalled;
    /** Written as {@link #posted}, before it. */
    private long lent;
    /** Under the progress lock: whose memory came back, and how many in all. */
    private final ArrayDeque<Object> back = new ArrayDeque<>();
    private long lentBack;

    /** @param bundleBytes longest body of a packet that holds several messages; 0: each goes by itself */
    public SendQueue(VerbsCalls verbs, SendBuffers buffers, Credits credits, int peer, int window, int bundleBytes, Counters counters) {
        this.verbs = verbs;
        this.buffers = buffers;
        this.credits = credits;
        this.peer = peer;
        this.window = window;
        this.alone = bundleBytes == 0 ? window : window - SendDepth.together(window);
        this.controlReserve = SendDepth.control(window);
        this.signalEvery = Math.max(1, window / 2);
        this.counters = counters;
        this.bundle = new BundleWriter(bundleBytes);
        this.slots = new int[Integer.highestOneBit(window + controlReserve) * 2];
        this.tickets = new Object[slots.length];
        this.memory = Memory.allocate(WorkRequest.BYTES);
        Memory.setZero(memory, WorkRequest.BYTES);
        this.request = new WorkRequest(memory);
    }

    /** Credit packets that may be on the way beside its own. */
    public int creditPackets() {
        return SendDepth.credits(window);
    }

    /** Before the connection is ready. */
    public void queuePair(long newQueuePair) {
        queuePair = newQueuePair;
    }

    /** Before the connection is ready: short packets may be written there. */
    public void direct(DirectSlots slotsOfPeer) {
        written.to(slotsOfPeer);
    }

    /** As {@link Channel#trySend}. */
    public int trySend(int kind, int contextId, int tag, Object base, long address, int bytes) {
        if (fault != null) {
            return Channel.PEER_FAILED;
        }
        if (bundle.isOpen()) {
            if (isGathering && bundle.mayAdd(kind, contextId, tag, bytes)) {
                pack(kind, contextId, tag, base, address, bytes);
                return Channel.SENT;
            }
            int result = postBundle();
            if (result != Channel.SENT) {
                return result;
            }
        }
        boolean isFirst = isGathering && bundle.mayBegin(kind, bytes);
        // How long the packet will be that others are packed into, nobody knows.
        boolean isControl = PacketKind.isControl(kind);
        int slot = takeSlot(isControl, isControl ? window + controlReserve : isGathering ? window : alone,
                !isFirst && written.needsNoCredit(kind, PacketHeader.BYTES + bytes));
        if (slot < 0) {
            return Channel.NO_RESOURCE;
        }
        int result = Channel.NO_RESOURCE;
        try {
            result = isFirst ? begin(slot, kind, contextId, tag, base, address, bytes)
                    : sendAlone(slot, kind, contextId, tag, base, address, bytes);
        } finally {
            // Also where the copy threw, because the program's own memory is gone.
            if (result == Channel.NO_RESOURCE) {
                buffers.give(slot);
                if (hasCredit) {
                    credits.putBack();
                }
            }
        }
        return result;
    }

    private int begin(int slot, int kind, int contextId, int tag, Object base, long address, int bytes) {
        bundleSlot = slot;
        bundle.begin(buffers.address(slot));
        pack(kind, contextId, tag, base, address, bytes);
        return Channel.SENT;
    }

    private int sendAlone(int slot, int kind, int contextId, int tag, Object base, long address, int bytes) {
        long at = buffers.address(slot);
        PacketHeader.write(at, (int) posted + 1, kind, contextId, tag, bytes, credits.toTell());
        Memory.copy(base, address, null, at + PacketHeader.BYTES, bytes);
        int result = post(slot, at, PacketHeader.BYTES + bytes, kind);
        if (result == Channel.SENT) {
            countCopy(bytes);
        }
        return result;
    }

    /**
     * As {@link Channel#lend}, of registered memory. A post that failed is {@link Channel#LENT} too, with a {@link #fault}: the library may have
     * queued it, so the adapter may read the memory until the queue pair is gone.
     */
    public int lend(int contextId, int tag, long address, int bytes, int lkey, Object ticket) {
        if (fault != null) {
            return Channel.PEER_FAILED;
        }
        int result = bundle.isOpen() ? postBundle() : Channel.SENT;
        if (result != Channel.SENT) {
            return result;
        }
        int slot = takeSlot(false, window, false);
        if (slot < 0) {
            return Channel.NO_RESOURCE;
        }
        long at = buffers.address(slot);
        PacketHeader.write(at, (int) posted + 1, PacketKind.EAGER, contextId, tag, bytes, credits.toTell());
        written.tell(at);
        fill(slot, at, PacketHeader.BYTES, VerbsLayout.SEND_SIGNALED);
        request.then(address, bytes, lkey);
        if (post(slot, ticket, VerbsLayout.SEND_SIGNALED) == Channel.NO_RESOURCE) {
            buffers.give(slot);
            credits.putBack();
            return Channel.NO_RESOURCE;
        }
        return Channel.LENT;
    }

    /**
     * @param room packets that may be on the way
     * @return a slot for one more packet, or -1 where credit, room or slots are used up
     */
    private int takeSlot(boolean isControl, int room, boolean needsNoCredit) {
        if (!needsNoCredit && !credits.mayTake(isControl)) {
            counters.increment(Counter.CREDIT_STALLS);
            return -1;
        }
        if (posted - retired >= room || !needsNoCredit && !credits.take(isControl)) {
            return -1;
        }
        hasCredit = !needsNoCredit;
        int slot = buffers.take();
        if (slot < 0 && hasCredit) {
            credits.putBack();
        }
        return slot;
    }

    private void pack(int kind, int contextId, int tag, Object base, long address, int bytes) {
        bundle.add(kind, contextId, tag, base, address, bytes);
        countCopy(bytes);
    }

    private void countCopy(int bytes) {
        counters.increment(Counter.COPIES);
        counters.add(Counter.COPIED_BYTES, bytes);
    }

    /** As {@link Channel#gather}. */
    public void gather() {
        isGathering = true;
    }

    /** As {@link Channel#flush}. */
    public int flush() {
        isGathering = false;
        return bundle.isOpen() ? postBundle() : Channel.SENT;
    }

    private int postBundle() {
        long at = bundle.seal((int) posted + 1, credits.toTell());
        hasCredit = true;
        int result = post(bundleSlot, at, bundle.packetBytes(), PacketHeader.BUNDLE_KIND);
        if (result != Channel.NO_RESOURCE) {
            bundle.clear();
        }
        return result;
    }

    /** @return as {@link #trySend}; the slot is on the way unless that is NO_RESOURCE */
    private int post(int slot, long at, int bytes, int kind) {
        written.tell(at);
        boolean isWritten = written.enter(kind, bytes);
        if (!isWritten && !hasCredit) {
            // The peer has just closed its ring to this rank.
            hasCredit = credits.take(PacketKind.isControl(kind));
            if (!hasCredit) {
                counters.increment(Counter.CREDIT_STALLS);
                return Channel.NO_RESOURCE;
            }
        }
        int flags = flags(kind);
        if (isWritten) {
            written.fill(request, WorkIds.of(WorkIds.SEND, peer, (int) posted + 1), flags, at, bytes, buffers.lkey(slot));
        } else {
            fill(slot, at, bytes, flags);
        }
        int result = post(slot, null, flags);
        if (isWritten) {
            written.leave(result != Channel.NO_RESOURCE);
            counters.add(Counter.LANDING_WRITES, result == Channel.SENT ? 1 : 0);
        }
        if (result == Channel.NO_RESOURCE) {
            unsignalled = Math.max(0, unsignalled - 1);
        } else if (isWritten && hasCredit && written.takesNoCredit()) {
            credits.putBack();
        }
        return result;
    }

    /** What any packet to the peer has to say in {@link PacketHeader#LANDED}. Any thread. */
    public int landedToTell() {
        return written.toTell();
    }

    private void fill(int slot, long at, int bytes, int flags) {
        request.fill(WorkIds.of(WorkIds.SEND, peer, (int) posted + 1), VerbsLayout.OPCODE_SEND, flags, at, bytes, buffers.lkey(slot));
    }

    private int post(int slot, Object ticket, int flags) {
        long number = posted + 1;
        int result = request.post(verbs, queuePair);
        counters.increment(Counter.NATIVE_CROSSINGS);
        if (result == -ENOMEM) {
            return Channel.NO_RESOURCE;
        }
        slots[(int) number & slots.length - 1] = slot;
        if (ticket != null) {
            tickets[(int) number & slots.length - 1] = ticket;
            lent++;
        }
        if (result < 0) {
            // The library may have queued it before it failed, so the adapter may read the slot until the queue pair is gone.
            posted = number;
            fault = Errno.describe("ibv_post_send", result);
            return Channel.PEER_FAILED;
        }
        counters.increment(Counter.WORK_REQUESTS);
        if (flags != 0) {
            unsignalled = 0;
            lastSignalled = number;
        }
        posted = number;
        return Channel.SENT;
    }

    /** The last packet of a peer always asks, so that close can wait for it; and where slots are few, everyone does. */
    private int flags(int kind) {
        return ++unsignalled >= signalEvery || kind == PacketKind.CLOSE || buffers.isScarce() ? VerbsLayout.SEND_SIGNALED : 0;
    }

    /** Why the adapter took no more, or null. */
    public String fault() {
        return fault;
    }

    /** A completion came: everything up to this number has left; {@link #nextBack} says whose memory was lent for it. */
    public void retire(int lowHalf) {
        long upTo = retired + (lowHalf - (int) retired);
        if (upTo > posted) {
            // The completion can be seen before the sender has noted what it posted.
            awaitPosted(upTo);
        }
        for (long number = retired + 1; number <= upTo; number++) {
            int place = (int) number & slots.length - 1;
            buffers.give(slots[place]);
            if (tickets[place] != null) {
                back.add(tickets[place]);
                tickets[place] = null;
            }
        }
        if (upTo > retired) {
            retired = upTo;
        }
    }

    /** The ticket of a packet whose memory is read no more, once for each; null when there is none. */
    public Object nextBack() {
        Object ticket = back.poll();
        lentBack += ticket == null ? 0 : 1;
        return ticket;
    }

    /** True while memory is lent that did not come back; of a connection to which nobody sends. */
    public boolean isLending() {
        return posted > retired && lent > lentBack;
    }

    private void awaitPosted(long upTo) {
        while (posted < upTo) {
            Thread.onSpinWait();
        }
    }

    /** Low half of the number of the last send: a work request posted after this call completes after it. */
    public int postedLow() {
        return (int) posted;
    }

    /** True when every work request that asked for a completion has got it. */
    public boolean isRetired() {
        return retired >= lastSignalled;
    }

    /** True when slots are on the way and none of them will tell: the last sends asked for no completion. */
    public boolean isSilent() {
        return isRetired() && posted > retired;
    }

    /** The queue pair is destroyed: nothing is read any more. Nobody sends. */
    public void giveBack() {
        retire((int) posted);
        back.clear();
        lentBack = lent;
        dropBundle();
    }

    /** The connection is over: what was packed and not posted goes nowhere. Nobody sends. */
    public void dropBundle() {
        isGathering = false;
        if (bundle.isOpen()) {
            bundle.clear();
            buffers.give(bundleSlot);
        }
    }

    /** After the queue pair is destroyed. */
    @Override
    public void close() {
        giveBack();
        Memory.free(memory);
    }

    @Override
    public String toString() {
        return "SendQueue[" + (posted - retired) + " on the way, " + bundle + ", " + credits + "]";
    }
}
