package org.sluice.ib;

import java.util.ArrayList;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.memory.Memory;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.queue.Completions;
import org.sluice.ib.queue.ControlPosts;
import org.sluice.ib.queue.ReceiveSlots;
import org.sluice.ib.queue.WorkIds;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.Errno;

/**
 * What completions mean: packets are checked and handed up, sends are retired, errors end their connection, credit goes back to whoever sent.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: a packet that makes no sense, or for which the peer had no credit, cuts the peer
 * off. <i>Proof</i>: {@code IbChannelRxeTest}, {@code HostileIbRxeTest}.
 */
final class Arrivals {
    private final Completions completions;
    private final Connections connections;
    private final ReceiveSlots slots;
    private final ControlPosts posts;
    private final RemoteMemory remote;
    private final CreditReturns returns;
    private final OpenBundle bundle;
    private final ArrayList<Connection> owing = new ArrayList<>();
    /** Completions that were fetched, and how many of them were looked at: what a listener throws loses none. */
    private int fetched;
    private int next;
    /** Packets that were handed up, all of each, and ends of reads, since the last failure, and how many failures are untold since. */
    private int passed;
    private int untold;

    Arrivals(Completions completions, Connections connections, ReceiveSlots slots, ControlPosts posts, RemoteMemory remote,
            CreditReturns returns) {
        this.returns = returns;
        this.completions = completions;
        this.connections = connections;
        this.slots = slots;
        this.posts = posts;
        this.remote = remote;
        this.bundle = new OpenBundle(slots);
    }

    /**
     * Takes completions until {@code limit} packets and ends of reads, writes and loans are handed up or there is none.
     *
     * @return how many it handed up; in {@code -1 - that many} when the queue ran empty
     */
    int take(ChannelListener listener, int limit) {
        int handedUp = 0;
        boolean ranEmpty = false;
        while (handedUp < limit) {
            if (bundle.isOpen()) {
                handedUp += fromBundle(listener);
            } else if (next == fetched) {
                if (ranEmpty) {
                    return -1 - handedUp;
                }
                ranEmpty = fetch();
            } else {
                int index = next++;
                if (WorkIds.what(completions.workId(index)) == WorkIds.RECEIVE) {
                    handedUp += onReceive(index, listener);
                } else {
                    int ended = onSent(index, listener);
                    passed += ended;
                    handedUp += ended;
                }
            }
        }
        return handedUp;
    }

    /**
     * As many as one call gives, whatever the limit: a rank that sends without end and receives nothing looks for one packet at a time, and
     * would pay a call for each completion. @return true when there were fewer
     */
    private boolean fetch() {
        int found = completions.poll(Completions.MOST);
        if (found < 0) {
            throw new IllegalStateException(Errno.describe("ibv_poll_cq", found));
        }
        next = 0;
        fetched = found;
        return found < Completions.MOST;
    }

    /**
     * Whether peers that failed can be told of: the queue ran empty, or, as others may keep it full for ever, more packets were handed up
     * since the last failure than there are slots for.
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
            if (completions.isGood(index)) {
                isPacket = isRight(connection, slot, index);
            } else if (!completions.isFlushed(index)) {
                // Longer than a slot is more than any Sluice sends.
                connections.fail(connection, completions.isTooLong(index), "receiving from it failed: " + completions.status(index));
            }
        }
        if (!isPacket) {
            slots.release(slot);
            return 0;
        }
        return onPacket(connection, slot, completions.bytes(index), listener);
    }

    /** Checks a packet and takes what it says of credit. @return true when there is something to hand up */
    private boolean isRight(Connection connection, int slot, int index) {
        long at = slots.address(slot);
        String fault = PacketHeader.fault(at, completions.bytes(index), connection.credits().expected());
        if (fault == null && !connection.credits().onLimit(Memory.getInt(at + PacketHeader.CREDIT))) {
            fault = "it grants " + Integer.toUnsignedString(Memory.getInt(at + PacketHeader.CREDIT)) + " packets in all, more than it can take";
        }
        if (fault != null) {
            connections.fail(connection, true, fault);
            return false;
        }
        connection.hear();
        connections.heard(connection, completions.queuePairNumber(index));
        int kind = Memory.getInt(at + PacketHeader.KIND);
        if (PacketHeader.isAboutCredit(kind)) {
            fault = returns.onPacket(connection, kind, at);
            if (fault != null) {
                connections.fail(connection, true, fault);
            }
            return false;
        }
        if (!connection.credits().onPacket()) {
            connections.fail(connection, true, "it sent more packets than it had credit for");
            return false;
        }
        if (connection.credits().owesNews() && !owing.contains(connection)) {
            owing.add(connection);
        }
        return true;
    }

    private int onPacket(Connection connection, int slot, int length, ChannelListener listener) {
        long at = slots.address(slot);
        int kind = Memory.getInt(at + PacketHeader.KIND);
        if (kind == PacketHeader.BUNDLE_KIND) {
            bundle.begin(connection, slot);
            return 0;
        }
        passed++;
        try {
            listener.onPacket(connection.peer(), kind, Memory.getInt(at + PacketHeader.CONTEXT_ID), Memory.getInt(at + PacketHeader.TAG),
                    at + PacketHeader.BYTES, length - PacketHeader.BYTES, null);
        } finally {
            slots.release(slot);
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
        } else {
            if (what == WorkIds.KEEP_ALIVE) {
                connection.keepAlivePosted(false);
            }
            connection.sends().retire(WorkIds.number(id));
        }
        if (!completions.isGood(index) && !completions.isFlushed(index)) {
            connections.fail(connection, false, (what == WorkIds.READ ? "reading its memory failed: "
                    : what == WorkIds.WRITE ? "writing to its memory failed: " : "sending to it failed: ") + completions.status(index)
                    + (completions.isRefusedMemory(index) ? "; it has ended, or named memory that it doesn't have" : ""));
        }
        int back = EagerLoans.tell(connection.sends(), completions.isGood(index), listener);
        return back + ended(what, connection, index, listener);
    }

    private int ended(int what, Connection connection, int index, ChannelListener listener) {
        return what == WorkIds.READ ? remote.onRead(connection, completions.isGood(index), listener)
                : what == WorkIds.WRITE ? remote.writes().onWritten(connection, completions.isGood(index), listener) : 0;
    }

    /** Tells peers that may soon have to wait what they may send; what a packet has told meanwhile is not told again. */
    void sendCredits() {
        returns.send();
        for (int i = owing.size() - 1; i >= 0; i--) {
            Connection connection = owing.get(i);
            if (connection.state() != ConnectionState.READY || !connection.credits().owesNews()) {
                owing.remove(i);
            } else if (connection.mayPostCredit()) {
                int result = posts.credit(connection.queuePair(), connection.peer(), connection.credits());
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
