package org.sluice.ib.queue;

import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Coalescing;
import org.sluice.device.channel.Lending;
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
 * The send work requests of one connection: a packet is copied into a registered slot and posted with one native call.
 * Only some work requests ask for a completion; one that comes retires all before it, because a reliable connection
 * completes in order. A packet whose body stays where it is ({@link #lend}) asks for its own, as its sender waits for
 * that.
 *
 * <p>Between {@link #gather} and {@link #flush} messages are packed into one slot and leave with one work request. Its
 * credit was taken, and the window looked at, before the first was packed, and the window gets no less until it leaves;
 * so only the library can still refuse that, and then it goes before anything else.
 *
 * <p><i>Thread</i>: {@link #trySend}, {@link #lend}, {@link #gather} and {@link #flush} under the peer's send lock;
 * {@link #saysGoodbye} under that and the progress lock; {@link #retire} and {@link #isRetired} under the progress
 * lock. <i>Owns</i>: the slots on the way, until their completion, and that of the open bundle. <i>Fails</i>: a refused
 * post leaves the queue pair dead: {@link #fault}. <i>Proof</i>: {@code SendQueueTest}, {@code IbChannelRxeTest},
 * {@code VerbsFaultsRxeTest}.
 */
public final class SendQueue implements AutoCloseable {
    private static final int NO_ROOM = -1;
    private static final int NO_SLOT = SlotsOnTheWay.NO_SLOT;

    private final VerbsCalls verbs;
    private final SendBuffers buffers;
    final Credits credits;
    private final Counters counters;
    final int peer;
    private final int window;
    /** How much of the window messages take that leave by themselves, unless they are lent: those can't share. */
    private final int alone;
    /** Work requests beyond the window that control packets may use. */
    private final int controlReserve;

    private final int signalEvery;
    private final long memory;
    private final WorkRequest request;
    private final SlotsOnTheWay onTheWay;
    private final BundleWriter bundle;
    /** Of the open bundle. */
    private int bundleSlot;

    private boolean isGathering;
    private final WrittenSends written = new WrittenSends();
    /** Whether credit was taken for the packet that is being sent; for an open bundle it always was. */
    private boolean hasCredit;

    private long queuePair;
    private final InlineRoom inline = new InlineRoom();
    /** Written under the send lock after the slot's number; {@link #retire} reads it before that. */
    private volatile long posted;
    /**
     * Written under the progress lock after the slots were given back; a sender reads it before it takes their places.
     */
    private volatile long retired;

    private volatile long lastSignalled;
    private volatile String fault;
    private int unsignalled;
    private int taken;
    /**
     * Low half of the number of the packet that is posted, or was last. Written under the send lock, before the post.
     * Who has posted something to the same queue pair and then reads it has at least the number of each packet before
     * that, as the library's own lock, which both took, orders the two. Who reads it because the peer has taken a
     * packet has at least that one's: libraries order what was written before with the adapter's doorbell.
     */
    private int posting;

    /** @param bundle of this connection alone */
    public SendQueue(
            VerbsCalls verbs,
            SendBuffers buffers,
            Credits credits,
            int peer,
            int window,
            BundleWriter bundle,
            Counters counters) {
        this.verbs = verbs;
        this.buffers = buffers;
        this.credits = credits;
        this.peer = peer;
        this.window = window;
        this.alone = bundle.packs() ? window - SendDepth.together(window) : window;
        this.controlReserve = SendDepth.control(window);
        this.signalEvery = Math.max(1, window / 2);
        this.counters = counters;
        this.bundle = bundle;
        this.onTheWay = new SlotsOnTheWay(buffers, window + controlReserve);
        this.memory = Memory.allocate(WorkRequest.BYTES);
        Memory.setZero(memory, WorkRequest.BYTES);
        this.request = new WorkRequest(memory);
    }

    /** Credit packets that may be on the way beside its own. */
    public int creditPackets() {
        return SendDepth.credits(window);
    }

    /**
     * Before the connection is ready.
     *
     * @param inlineBytes what the queue pair takes with a work request
     */
    public void queuePair(long newQueuePair, int newInlineBytes) {
        queuePair = newQueuePair;
        inline.of(newInlineBytes);
    }

    /** For work requests beside those of senders. */
    public InlineRoom inline() {
        return inline;
    }

    private boolean isInline(int packetBytes) {
        return inline.takes(packetBytes, written.mostMore());
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
        int slot = takeSlot(
                isControl,
                isControl ? window + controlReserve : isGathering ? window : alone,
                !isFirst && written.needsNoCredit(kind, PacketHeader.BYTES + bytes),
                !isFirst && isInline(PacketHeader.BYTES + bytes));
        if (slot == NO_ROOM) {
            return Channel.NO_RESOURCE;
        }
        int result = Channel.NO_RESOURCE;
        try {
            result = isFirst
                    ? begin(slot, kind, contextId, tag, base, address, bytes)
                    : sendAlone(slot, kind, contextId, tag, base, address, bytes);
        } finally {
            // Also where the copy threw, because the program's own memory is gone.
            if (result == Channel.NO_RESOURCE) {
                onTheWay.give(slot);
                if (hasCredit) {
                    credits.putBack();
                }
            }
        }
        return result == Channel.NO_RESOURCE && inline.takeRefused()
                ? trySend(kind, contextId, tag, base, address, bytes)
                : result;
    }

    private int begin(int slot, int kind, int contextId, int tag, Object base, long address, int bytes) {
        bundleSlot = slot;
        bundle.begin(buffers.address(slot));
        pack(kind, contextId, tag, base, address, bytes);
        return Channel.SENT;
    }

    /** @param packetsTaken what the next goodbye has to say in {@link PacketHeader#TAKEN} */
    public void saysGoodbye(int packetsTaken) {
        taken = packetsTaken;
    }

    private int sendAlone(int slot, int kind, int contextId, int tag, Object base, long address, int bytes) {
        long at = slot == NO_SLOT ? inline.memory() : buffers.address(slot);
        PacketHeader.write(at, (int) posted + 1, kind, contextId, tag, bytes, credits.toTell());
        if (kind == PacketKind.CLOSE) {
            Memory.putInt(at + PacketHeader.TAKEN, taken);
        }
        Memory.copy(base, address, null, at + PacketHeader.BYTES, bytes);
        int result = post(slot, at, PacketHeader.BYTES + bytes, kind);
        if (result == Channel.SENT) {
            countCopy(bytes);
        }
        return result;
    }

    /**
     * As {@link Lending#lend}, of registered memory. A post that failed is {@link Lending#LENT} too, with a
     * {@link #fault}: the library may have queued it, so the adapter may read the memory until the queue pair is gone.
     */
    public int lend(int contextId, int tag, long address, int bytes, int lkey, Object ticket) {
        if (fault != null) {
            return Channel.PEER_FAILED;
        }
        int result = bundle.isOpen() ? postBundle() : Channel.SENT;
        if (result != Channel.SENT) {
            return result;
        }
        int slot = takeSlot(false, window, false, false);
        if (slot == NO_ROOM) {
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
        return Lending.LENT;
    }

    /**
     * @param room packets that may be on the way
     * @param isInline whether its bytes go with the work request
     * @return a slot for one more packet, {@link #NO_SLOT} where it needs none, or {@link #NO_ROOM} where credit, room
     *     or slots are used up
     */
    private int takeSlot(boolean isControl, int room, boolean needsNoCredit, boolean isInline) {
        if (!needsNoCredit && !credits.mayTake(isControl)) {
            counters.increment(Counter.CREDIT_STALLS);
            return NO_ROOM;
        }
        if (posted - retired >= room || !needsNoCredit && !credits.take(isControl)) {
            return NO_ROOM;
        }
        hasCredit = !needsNoCredit;
        int slot = isInline ? NO_SLOT : buffers.take();
        if (slot == NO_ROOM && hasCredit) {
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

    /** As {@link Coalescing#gather}. */
    public void gather() {
        isGathering = true;
    }

    /** As {@link Coalescing#flush}, but answers as {@link #trySend}. */
    public int flush() {
        isGathering = false;
        return bundle.isOpen() ? postBundle() : Channel.SENT;
    }

    private int postBundle() {
        long at = bundle.seal((int) posted + 1, credits.toTell());
        hasCredit = true;
        int result = post(bundleSlot, at, bundle.packetBytes(), bundle.kindOfWay());
        if (result == Channel.NO_RESOURCE && inline.takeRefused()) {
            result = post(bundleSlot, at, bundle.packetBytes(), bundle.kindOfWay());
        }
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
        boolean isInline = isInline(bytes);
        int inlineFlag = isInline ? VerbsLayout.SEND_INLINE : 0;
        int flags = flags(kind, isInline);
        if (isWritten) {
            written.fill(
                    request,
                    WorkIds.of(WorkIds.SEND, peer, (int) posted + 1),
                    flags | inlineFlag,
                    at,
                    bytes,
                    onTheWay.lkey(slot));
        } else {
            fill(slot, at, bytes, flags | inlineFlag);
        }
        int result = post(isInline ? NO_SLOT : slot, null, flags);
        if (isInline && result != Channel.NO_RESOURCE) {
            counters.increment(Counter.INLINE_SENDS);
            onTheWay.give(slot);
        }
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
        request.fill(
                WorkIds.of(WorkIds.SEND, peer, (int) posted + 1),
                VerbsLayout.OPCODE_SEND,
                flags,
                at,
                bytes,
                onTheWay.lkey(slot));
    }

    private int post(int slot, Object ticket, int flags) {
        long number = posted + 1;
        posting = (int) number;
        int result = request.post(verbs, queuePair);
        counters.increment(Counter.NATIVE_CROSSINGS);
        if (result == -Errno.ENOMEM && (slot == NO_SLOT || !isRetired())) {
            if (isRetired()) {
                // The queue is not full, or nothing would tell when it is less so: it is the bytes that came with it.
                inline.refused();
            }
            return Channel.NO_RESOURCE;
        }
        onTheWay.add(number, slot, ticket);
        if (result < 0) {
            // The library may have queued it before it failed, so the adapter may read the slot until the queue pair is
            // gone.
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
    private int flags(int kind, boolean isInline) {
        return ++unsignalled >= signalEvery || kind == PacketKind.CLOSE || !isInline && buffers.isScarce()
                ? VerbsLayout.SEND_SIGNALED
                : 0;
    }

    /** Why the adapter took no more, or null. */
    public String fault() {
        return fault;
    }

    /**
     * A completion came: everything up to this number has left; {@link #nextBack} says whose memory was lent for it.
     */
    public void retire(int lowHalf) {
        long upTo = retired + (lowHalf - (int) retired);
        // The completion can be seen before the sender has noted what it posted.
        while (posted < upTo) {
            Thread.onSpinWait();
        }
        for (long number = retired + 1; number <= upTo; number++) {
            onTheWay.retire(number);
        }
        if (upTo > retired) {
            retired = upTo;
        }
    }

    /** The ticket of a packet whose memory is read no more, once for each; null when there is none. */
    public Object nextBack() {
        return onTheWay.nextBack();
    }

    /** True while memory is lent that did not come back; of a connection to which nobody sends. */
    public boolean isLending() {
        return posted > retired && onTheWay.isLending();
    }

    /** Low half of the number of the last send: a work request posted after this call completes after it. */
    public int postedLow() {
        return (int) posted;
    }

    /**
     * What was posted to the queue pair before this call lies before all packets with a higher number: low half. Any
     * thread.
     */
    public int postingLow() {
        return posting;
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
        onTheWay.forgetLoans();
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
        inline.close();
    }

    @Override
    public String toString() {
        return "SendQueue[" + (posted - retired) + " on the way, " + bundle + ", " + credits + "]";
    }
}
