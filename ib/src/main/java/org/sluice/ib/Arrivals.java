package org.sluice.ib;

import java.util.ArrayList;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.landing.LandingPeer;
import org.sluice.ib.landing.LandingRing;
import org.sluice.ib.landing.Landings;
import org.sluice.ib.queue.Completions;
import org.sluice.ib.queue.ControlPosts;
import org.sluice.ib.queue.PacketPlace;
import org.sluice.ib.queue.ReceiveSlots;
import org.sluice.ib.queue.WorkIds;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.Errno;

/**
 * What completions mean: packets are checked and handed up, sends are retired, errors end their connection, credit goes
 * back to whoever sent.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: a packet that makes no sense, or for which the peer had no
 * credit, cuts the peer off. <i>Proof</i>: {@code IbChannelRxeTest}, {@code HostileIbRxeTest}.
 */
final class Arrivals {
    /** Packets from landing rings that completions may have to wait for. */
    private static final int MOST_LANDED = 64;

    private final Completions completions;
    private final Connections connections;
    private final ReceiveSlots slots;
    private final ControlPosts posts;
    private final RemoteMemory remote;
    private final CreditReturns returns;
    private final Landings landings;
    private final OpenBundle bundle;
    private final ArrayList<Connection> owing = new ArrayList<>();
    /** Completions that were fetched, and how many of them were looked at: what a listener throws loses none. */
    private int fetched;

    private int next;
    /**
     * Packets that were handed up, all of each, and ends of reads, since the last failure, and how many failures are
     * untold since.
     */
    private int passed;

    private int untold;
    /** Packets that landing rings brought since completions were fetched. */
    private int landed;
    /** Of the packets since somebody asked, and in the slots of routes that they tell of. */
    private long bytes;

    Arrivals(
            Completions completions,
            Connections connections,
            ReceiveSlots slots,
            ControlPosts posts,
            RemoteMemory remote,
            CreditReturns returns,
            Landings landings) {
        this.returns = returns;
        this.completions = completions;
        this.connections = connections;
        this.slots = slots;
        this.posts = posts;
        this.remote = remote;
        this.landings = landings;
        this.bundle = new OpenBundle(connections);
    }

    /**
     * Takes completions until {@code limit} packets are handed up or there is none. Ends of reads, writes and loans
     * don't count: there are only as many as were begun before, and the news of those that are told in one round leave
     * together.
     *
     * @return how many it handed up; in {@code -1 - that many} when the queue ran empty
     */
    int take(ChannelListener listener, int limit) {
        int packets = 0;
        int ends = 0;
        boolean ranEmpty = false;
        while (packets < limit) {
            if (bundle.isOpen()) {
                packets += fromBundle(listener);
            } else if (next < fetched) {
                LandingPeer before = sentBefore(next);
                if (before != null) {
                    packets += fromRing(before, listener);
                } else if (WorkIds.what(completions.workId(next)) == WorkIds.RECEIVE) {
                    packets += onReceive(next++, listener);
                } else {
                    ends += onEnd(next++, listener);
                }
            } else {
                LandingPeer peer = ranEmpty || landed < MOST_LANDED ? landings.next(ranEmpty) : null;
                if (peer != null) {
                    packets += fromRing(peer, listener);
                } else if (ranEmpty) {
                    return -1 - packets - ends;
                } else {
                    ranEmpty = fetch();
                }
            }
        }
        return packets + ends;
    }

    private int onEnd(int index, ChannelListener listener) {
        int ended = onSent(index, listener);
        passed += ended;
        return ended;
    }

    /**
     * A peer whose next packet lies in its ring, and was sent before the one that this completion is of: a connection
     * carries out in order what was posted to it, and completions tell of nothing before it is there. Where a
     * completion tells of each write, theirs is the order.
     */
    private LandingPeer sentBefore(int index) {
        if (landings.isPolled()
                && WorkIds.what(completions.workId(index)) == WorkIds.RECEIVE
                && completions.isGood(index)
                && !completions.isOfWrite(index)) {
            Connection connection = connections.ofQueuePair(completions.queuePairNumber(index));
            return connection == null ? null : landings.next(connection);
        }
        return null;
    }

    private int fromRing(LandingPeer peer, ChannelListener listener) {
        Connection connection = peer.connection();
        LandingRing ring = peer.ring();
        int length = peer.found();
        long at = ring.address(length);
        landed++;
        boolean isRight = isRight(connection, at, length);
        // Once: who lies may still write there.
        int kind = Memory.getInt(at + PacketHeader.KIND);
        if (!isRight || !PacketHeader.isCounted(kind)) {
            connections.fail(connection, true, "a packet in its landing ring that only tells of room");
            landings.drop(connection);
            return 0;
        }
        connection.arrived();
        int number = ring.next();
        ring.take();
        int handedUp = onPacket(connection, ring, number, kind, at, length, listener);
        if (landings.owesRoom(connection)) {
            owe(connection);
        }
        return handedUp;
    }

    /**
     * As many as one call gives, whatever the limit: a rank that sends without end and receives nothing looks for one
     * packet at a time, and would pay a call for each completion.
     *
     * @return true when there were fewer
     */
    private boolean fetch() {
        int found = completions.poll(Completions.MOST);
        if (found < 0) {
            throw new IllegalStateException(Errno.describe("ibv_poll_cq", found));
        }
        next = 0;
        landed = 0;
        fetched = found;
        return found < Completions.MOST;
    }

    /**
     * Whether peers that failed can be told of: the queue ran empty, or, as others may keep it full for ever, more
     * packets were handed up since the last failure than there are slots for.
     *
     * @param taken what {@link #take} returned
     * @param failures that wait to be told
     */
    boolean isNothingOwed(int taken, int failures) {
        if (failures != untold) {
            untold = failures;
            passed = 0;
        }
        if (taken >= 0 && passed <= slots.count()) {
            return false;
        }
        untold = 0;
        return true;
    }

    private int onReceive(int index, ChannelListener listener) {
        int slot = WorkIds.number(completions.workId(index));
        if (!slots.isSlot(slot)) {
            throw new IllegalStateException("a completion of receive slot " + slot);
        }
        Connection connection = connections.ofQueuePair(completions.queuePairNumber(index));
        boolean isPacket = false;
        if (connection != null && connection.state() != ConnectionState.OVER && !connection.isCorrupt()) {
            if (completions.isGood(index) && completions.isOfWrite(index)) {
                slots.release(slot);
                return onWritten(connection, index, listener);
            } else if (completions.isGood(index)) {
                isPacket = isCounted(connection, slots.address(slot), index);
            } else if (!connection.state().isDead()) {
                // Longer than a slot is more than any Sluice sends.
                connections.fail(
                        connection,
                        completions.isTooLong(index),
                        "receiving from it failed: " + completions.status(index));
            }
        }
        if (!isPacket) {
            slots.release(slot);
            return 0;
        }
        long at = slots.address(slot);
        return onPacket(
                connection, slots, slot, Memory.getInt(at + PacketHeader.KIND), at, completions.bytes(index), listener);
    }

    /** A packet was written to the peer's ring, and the write took a receive slot, so that it is told of here. */
    private int onWritten(Connection connection, int index, ChannelListener listener) {
        LandingPeer peer = landings.next(connection);
        if (peer == null || peer.ring().next() != completions.immediate(index)) {
            connections.fail(
                    connection,
                    true,
                    "it tells of packet " + Integer.toUnsignedString(completions.immediate(index))
                            + " in its landing ring, which is not there, or not the next");
            return 0;
        }
        return takesCredit(connection) ? fromRing(peer, listener) : 0;
    }

    /**
     * Checks a packet that came in a receive slot.
     *
     * @return true when there is something to hand up
     */
    private boolean isCounted(Connection connection, long at, int index) {
        if (!isRight(connection, at, completions.bytes(index))) {
            return false;
        }
        connections.heard(connection, completions.queuePairNumber(index));
        int kind = Memory.getInt(at + PacketHeader.KIND);
        if (kind == PacketHeader.LANDING_KIND) {
            String fault = landings.onNews(connection, at + PacketHeader.BYTES);
            if (fault != null) {
                connections.fail(connection, true, fault);
            }
        }
        if (PacketHeader.isAboutCredit(kind)) {
            String fault = returns.onPacket(connection, kind, at);
            if (fault != null) {
                connections.fail(connection, true, fault);
            }
        }
        if (!PacketHeader.isCounted(kind) || !takesCredit(connection)) {
            return false;
        }
        connection.arrived();
        landings.onSent(connection, kind, completions.bytes(index));
        return true;
    }

    /**
     * A packet took a receive slot.
     *
     * @return false where the peer had no right to it
     */
    private boolean takesCredit(Connection connection) {
        if (!connection.credits().onPacket()) {
            connections.fail(connection, true, "it sent more packets than it had credit for");
            return false;
        }
        if (connection.credits().owesNews()) {
            owe(connection);
        }
        return true;
    }

    private void owe(Connection connection) {
        if (!owing.contains(connection)) {
            owing.add(connection);
        }
    }

    /** Checks a packet's form and takes what it says of room. */
    private boolean isRight(Connection connection, long at, int length) {
        String fault = PacketHeader.fault(at, length, connection.expected());
        if (fault == null && !connection.credits().onLimit(Memory.getInt(at + PacketHeader.CREDIT))) {
            fault = "it grants " + Integer.toUnsignedString(Memory.getInt(at + PacketHeader.CREDIT))
                    + " packets in all, more than it can take";
        }
        if (fault == null) {
            fault = landings.onReleased(connection, Memory.getInt(at + PacketHeader.LANDED));
        }
        if (fault == null && Memory.getInt(at + PacketHeader.KIND) == PacketKind.CLOSE) {
            fault = connection.saidGoodbye(Memory.getInt(at + PacketHeader.TAKEN));
        }
        if (fault != null) {
            connections.fail(connection, true, fault);
            return false;
        }
        connection.hear();
        return true;
    }

    /** How long the packets were that came since the last call, with what was written into slots before them. */
    long takeBytes() {
        long taken = bytes;
        bytes = 0;
        return taken;
    }

    private int onPacket(
            Connection connection,
            PacketPlace place,
            int slot,
            int kind,
            long at,
            int length,
            ChannelListener listener) {
        bytes += length + PacketHeader.bytesInSlot(at, kind, length);
        if (kind == PacketHeader.BUNDLE_KIND) {
            bundle.begin(connection, place, slot, at, length);
            return 0;
        }
        passed++;
        try {
            listener.onPacket(
                    connection.peer(),
                    kind,
                    Memory.getInt(at + PacketHeader.CONTEXT_ID),
                    Memory.getInt(at + PacketHeader.TAG),
                    at + PacketHeader.BYTES,
                    length - PacketHeader.BYTES,
                    null);
        } finally {
            place.release(slot);
        }
        return 1;
    }

    private int fromBundle(ChannelListener listener) {
        int handedUp = bundle.handUp(listener);
        if (!bundle.isOpen()) {
            passed++;
        }
        return handedUp;
    }

    private int onSent(int index, ChannelListener listener) {
        long id = completions.workId(index);
        Connection connection = connections.of(WorkIds.peer(id));
        int what = WorkIds.what(id);
        if (what == WorkIds.CREDIT && WorkIds.number(id) != ControlPosts.CREDIT) {
            connection.returnPosted(false);
        } else if (what == WorkIds.CREDIT) {
            connection.creditPosted(-1);
        } else if (what == WorkIds.LANDING) {
            landings.onNewsPosted(connection);
        } else {
            if (what == WorkIds.KEEP_ALIVE) {
                connection.keepAlivePosted(false);
            }
            connection.sends().retire(WorkIds.number(id));
            if (completions.isGood(index)) {
                connection.acknowledged(WorkIds.number(id));
            }
        }
        // One that was flushed has a connection that failed before, and was told of; but SoftRoCE flushes also what it
        // found no way for.
        if (!completions.isGood(index) && !connection.state().isDead()) {
            connections.fail(
                    connection,
                    false,
                    (what == WorkIds.READ
                                    ? "reading its memory failed: "
                                    : what == WorkIds.WRITE
                                            ? "writing to its memory failed: "
                                            : "sending to it failed: ")
                            + completions.status(index)
                            + (completions.isRefusedMemory(index)
                                    ? "; it has ended, or named memory that it doesn't have"
                                    : ""));
        }
        boolean hasArrived =
                completions.isGood(index) || what == WorkIds.SEND && connection.hasTaken(WorkIds.number(id));
        int back = EagerLoans.tell(connection.sends(), hasArrived, listener);
        return back + ended(what, connection, index, listener);
    }

    private int ended(int what, Connection connection, int index, ChannelListener listener) {
        return what == WorkIds.READ
                ? remote.onRead(connection, completions.isGood(index), listener)
                : what == WorkIds.WRITE
                        ? remote.writes().onWritten(connection, completions.isGood(index), listener)
                        : 0;
    }

    /** A peer could not be told yet what it may send. */
    boolean owesCredit() {
        return !owing.isEmpty();
    }

    /**
     * Tells peers that may soon have to wait what they may send; what a packet has told meanwhile is not told again.
     */
    void sendCredits() {
        returns.send();
        landings.tell();
        for (int i = owing.size() - 1; i >= 0; i--) {
            Connection connection = owing.get(i);
            if (connection.state() != ConnectionState.READY
                    || !connection.credits().owesNews() && !landings.owesRoom(connection)) {
                owing.remove(i);
            } else if (connection.mayPostCredit()) {
                int result = posts.credit(connection.queuePair(), connection.sends());
                if (result < 0) {
                    connections.fail(connection, false, Errno.describe("ibv_post_send", result));
                } else {
                    connection.creditPosted(1);
                }
                owing.remove(i);
            }
        }
    }
}
