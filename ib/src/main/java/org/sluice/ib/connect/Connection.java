package org.sluice.ib.connect;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.counter.Counters;
import org.sluice.device.option.Option;
import org.sluice.ib.IbFacts;
import org.sluice.ib.queue.Credits;
import org.sluice.ib.queue.SendQueue;

/**
 * A rank's way to one peer over verbs: its identifier and queue pair, its state, its credits and its send queue.
 *
 * <p><i>Thread</i>: state is read by any; it changes under the connection lock, except that a sender moves IDLE to
 * WANTED. What is written before READY is seen by who sees READY, and changes no more. The counts of credit packets and
 * signs of life are under the progress lock. <i>Owns</i>: what its fields name, until {@link Connections#close}.
 * <i>Proof</i>: {@code ConnectRxeTest}.
 */
public final class Connection {
    private final int peer;
    private final IbFacts facts;
    private final Credits credits;
    private final SendQueue sends;
    private final Counters counters;

    private volatile ConnectionState state = ConnectionState.IDLE;
    long id;
    /** Whose route the identifier gets a copy of; 0 where it finds its own. */
    long routedId;

    long queuePair;
    long queuePairNumber;
    long deadlineNanos;
    int attempts;
    /** What became of the last attempt, for the message when time is up; null: there was none. */
    String refusedBefore;
    /** It is READY because a packet came, and the connection manager has not said so yet. */
    boolean isUnconfirmed;
    /** When WANTED: the pause after an attempt that failed. */
    long notBeforeNanos;

    private String reason;
    private boolean corrupt;
    private long failedNanos;
    /**
     * One of the two has told the other past this channel that it closes, as they had not met. Under the connection
     * lock.
     */
    private boolean isClosedUnmet;
    /** The peer has ended it: what it didn't take it didn't want. */
    private volatile boolean isLeft;
    /** Low half of the number of the last send that the peer's adapter acknowledged. */
    private int acknowledged;

    private boolean hasRunOut;
    /** Credit packets on the way. */
    private int creditsPosted;
    /** Something about credit to be given back is on the way. */
    private boolean returnPosted;
    /** A sign of life is on the way. */
    private boolean keepAlivePosted;

    private boolean heard;
    private boolean hasSaidGoodbye;
    private int takenByPeer;
    /** Counted packets that have come, whichever way. */
    private int arrived;

    Connection(int peer, IbFacts facts, Credits credits, SendQueue sends, Counters counters) {
        this.peer = peer;
        this.facts = facts;
        this.credits = credits;
        this.sends = sends;
        this.counters = counters;
    }

    public int peer() {
        return peer;
    }

    public IbFacts facts() {
        return facts;
    }

    public Credits credits() {
        return credits;
    }

    public SendQueue sends() {
        return sends;
    }

    /** Counts what happens under the send lock. */
    public Counters counters() {
        return counters;
    }

    public ConnectionState state() {
        return state;
    }

    public long queuePair() {
        return queuePair;
    }

    /**
     * A sender needs it.
     *
     * @return true when it was idle
     */
    boolean want() {
        // Two senders of one peer come one after the other; the helper may only have moved it on, which wins.
        if (state == ConnectionState.IDLE) {
            synchronized (this) {
                if (state == ConnectionState.IDLE) {
                    state = ConnectionState.WANTED;
                    return true;
                }
            }
        }
        return false;
    }

    synchronized void enter(ConnectionState next) {
        state = next;
    }

    /**
     * This rank closes: where nobody has begun to connect nobody does any more. Under the connection lock.
     *
     * @return whether that is so
     */
    synchronized boolean leaveUnmet() {
        if (state != ConnectionState.IDLE) {
            return false;
        }
        isClosedUnmet = true;
        state = ConnectionState.OVER;
        return true;
    }

    /** Under the connection lock: where no connection comes of it any more, the peer has closed. */
    void closedUnmet(boolean is) {
        isClosedUnmet = is;
    }

    /** Whether it ended as one of the two has closed. Of one that is dead. */
    public boolean isClosedUnmet() {
        return isClosedUnmet;
    }

    /**
     * Under the connection lock.
     *
     * @return true when this is the first failure
     */
    boolean fail(boolean isCorrupt, String why) {
        if (state.isDead()) {
            return false;
        }
        corrupt = isCorrupt;
        reason = why;
        failedNanos = System.nanoTime();
        enter(ConnectionState.FAILED);
        return true;
    }

    public String reason() {
        return reason;
    }

    /** When it failed. */
    public long failedNanos() {
        return failedNanos;
    }

    public boolean isCorrupt() {
        return corrupt;
    }

    /** The peer said that it closes, or its end is gone. */
    public void leave() {
        isLeft = true;
    }

    /**
     * Under the progress lock: a completion says so.
     *
     * @param lowHalf of the number of the send
     */
    public void acknowledged(int lowHalf) {
        acknowledged = lowHalf;
    }

    /**
     * Under the progress lock: the peer's goodbye says how many packets of this rank it has taken. Its queue pair goes
     * before it is known whether its adapter's acknowledgements have come, and one that was lost is not sent again: so
     * what has no acknowledgement may have arrived all the same.
     *
     * @return what is wrong with that, or null
     */
    public String saidGoodbye(int taken) {
        if (taken - sends.postingLow() > 0) {
            return "it says that it has taken " + Integer.toUnsignedString(taken) + " packets in all, of "
                    + Integer.toUnsignedString(sends.postingLow()) + " that were sent";
        }
        hasSaidGoodbye = true;
        takenByPeer = taken;
        return null;
    }

    /** Whether the peer said that it has taken this packet, and so what was posted before. */
    public boolean hasTaken(int lowHalf) {
        return hasSaidGoodbye && takenByPeer - lowHalf >= 0;
    }

    /** Close has waited long enough for acknowledgements. */
    public void runOut() {
        hasRunOut = true;
    }

    /** As {@link org.sluice.device.channel.Connecting#undelivered}. */
    public SluiceException undelivered() {
        if (isLeft || sends.postedLow() == acknowledged || reason == null && !hasRunOut) {
            return null;
        }
        String what = "what was sent to rank " + peer + " last may not have arrived: ";
        return reason == null
                ? new SluiceException(
                        ErrorCode.TIMEOUT,
                        peer,
                        what + "its RDMA device did not acknowledge it within " + Option.CLOSE_TIMEOUT_MS.property()
                                + " of closing",
                        null)
                : new SluiceException(ErrorCode.PEER_DEAD, peer, what + reason, null);
    }

    /** True when a packet came since this was asked for the last time. */
    public boolean wasHeard() {
        boolean was = heard;
        heard = false;
        return was;
    }

    public void hear() {
        heard = true;
    }

    /** The sequence of the next counted packet. */
    public int expected() {
        return arrived + 1;
    }

    /** How many have come. */
    public int taken() {
        return arrived;
    }

    /** That packet came. */
    public void arrived() {
        arrived++;
    }

    public boolean mayPostCredit() {
        return creditsPosted < sends.creditPackets();
    }

    /** @param change 1 when a credit packet was posted, -1 when it has left */
    public void creditPosted(int change) {
        creditsPosted += change;
    }

    public boolean isReturnPosted() {
        return returnPosted;
    }

    public void returnPosted(boolean is) {
        returnPosted = is;
    }

    public boolean isKeepAlivePosted() {
        return keepAlivePosted;
    }

    public void keepAlivePosted(boolean is) {
        keepAlivePosted = is;
    }

    @Override
    public String toString() {
        return "Connection[to " + peer + " at " + facts.where() + ", " + state + (reason == null ? "" : ": " + reason)
                + ", " + sends + "]";
    }
}
