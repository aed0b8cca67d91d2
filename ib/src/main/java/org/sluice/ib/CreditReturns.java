package org.sluice.ib;

import java.util.ArrayList;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.queue.ControlPosts;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.Errno;

/**
 * Has peers that became quiet give back what they borrowed, where a busy one wanted more than is left; and gives back
 * what this rank doesn't use.
 *
 * <p>Nothing ever waits for these packets, so they can hold nothing up: one of them at a time has a place of its own
 * among the work requests, and a peer is asked once for each time that it was busy, whether it answers or not.
 * <i>Thread</i>: under the progress lock. <i>Proof</i>: {@code CreditReturnsRxeTest}, {@code CreditsTest}.
 */
final class CreditReturns {
    private final Connections connections;
    private final ControlPosts posts;
    private final Counters counters;
    /** Peers that are to be told what this rank gave up. */
    private final ArrayList<Connection> owing = new ArrayList<>();

    CreditReturns(Connections connections, ControlPosts posts, Counters counters) {
        this.connections = connections;
        this.posts = posts;
        this.counters = counters;
    }

    /**
     * At each look at the peers: where there is none to ask there are more busy ones than slots, and more slots are
     * added.
     */
    void look() {
        boolean isWanted = connections.budget().takeRefused();
        boolean isAsked = false;
        for (Connection connection : connections.all()) {
            if (connection != null
                    && connection.credits().isIdle()
                    && isWanted
                    && connection.state() == ConnectionState.READY
                    && !connection.isReturnPosted()) {
                note(connection, posts.askBack(connection.queuePair(), connection.sends()));
                connection.credits().asked();
                isAsked = true;
            }
        }
        if (isWanted && !isAsked) {
            counters.add(Counter.RECEIVE_SLOTS_ADDED, connections.addSlots());
        }
    }

    private void note(Connection connection, int result) {
        connection.returnPosted(result == 0);
        if (result < 0) {
            connections.fail(connection, false, Errno.describe("ibv_post_send", result));
        }
    }

    /**
     * @param at where the packet's header lies
     * @return what is wrong with it, or null
     */
    String onPacket(Connection connection, int kind, long at) {
        if (kind == PacketHeader.ASK_BACK_KIND) {
            if (connection.credits().giveUp() && !owing.contains(connection)) {
                owing.add(connection);
            }
        } else if (kind == PacketHeader.GIVE_BACK_KIND) {
            int more = connection.credits().onReturned(Memory.getInt(at + PacketHeader.TAG));
            if (more < 0) {
                return "it gives back more credit than it has";
            }
            counters.add(Counter.CREDITS_RETURNED, more);
        }
        return null;
    }

    /** Tells what was given up. */
    void send() {
        for (int i = owing.size() - 1; i >= 0; i--) {
            Connection connection = owing.get(i);
            if (connection.state().isDead()) {
                owing.remove(i);
            } else if (connection.state() == ConnectionState.READY && !connection.isReturnPosted()) {
                owing.remove(i);
                note(connection, posts.giveBack(connection.queuePair(), connection.sends()));
            }
        }
    }
}
