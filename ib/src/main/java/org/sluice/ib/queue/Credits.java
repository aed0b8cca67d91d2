package org.sluice.ib.queue;

import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.ib.wire.PacketHeader;

/**
 * One peer's share of this rank's receive slots, and this rank's share of the peer's. Both are counted from the start
 * of the connection and only grow, so that news of them may be lost, repeated or late; they wrap, and only differences
 * mean anything.
 *
 * <p>A quiet peer holds {@link #LEAST}; one that used up what it had, or to which credit had to be sent in a packet of
 * its own, gets twice as much, as far as the slots go. Control packets may go {@link #CONTROL_RESERVE} beyond the
 * limit, so that a peer without credit can still answer.
 *
 * <p>Where slots are wanted, a peer that has become quiet is asked for what it borrowed. It gives back all but
 * {@link #QUIET}, as if it had sent that many packets: so this count only grows too, and a grant that is late or
 * repeated gives nothing twice.
 *
 * <p><i>Thread</i>: {@link #mayTake}, {@link #take} and {@link #putBack} under the peer's send lock, {@link #toTell}
 * any, the rest under the progress lock. {@link #used} belongs to both, because credit is given back while others send.
 * <i>Proof</i>: {@code CreditsTest}.
 */
public final class Credits {
    /** What both ends begin with. */
    public static final int LEAST = 2;

    public static final int CONTROL_RESERVE = 4;

    /** What a peer keeps that gave back the rest: it can always begin again. */
    public static final int QUIET = 1;

    /** Receive slots that any rank can have: the most that sluice.ib.slots allows. */
    public static final int MOST = 1 << 16;

    private final SlotBudget budget;

    private int received;
    /** Credit that the peer has given back, in all. */
    private int back;

    private int receivedAtLook;
    /** How many packets had come when the peer was asked for what it doesn't use. */
    private int receivedAtAsking = -1;

    private int target = LEAST;
    private boolean isOver;
    /**
     * Written under the progress lock, read by {@link #toTell}: one word that publishes nothing else; an old value is
     * old news.
     */
    private volatile int granted = LEAST;
    /** The highest grant that a packet has carried. */
    private final AtomicInteger told = new AtomicInteger(LEAST);

    /** Credit that packets have taken and that was given back, in all. */
    private final AtomicInteger used = new AtomicInteger();

    private int returned;
    /** Written under the progress lock, read by {@link #mayTake} under the send lock: one word, as {@link #granted}. */
    private volatile int limit = LEAST;

    public Credits(SlotBudget budget) {
        this.budget = budget;
        budget.promise(LEAST, CONTROL_RESERVE);
    }

    /** Whether one more packet may be sent. */
    boolean mayTake(boolean isControl) {
        return used.get() - limit < (isControl ? CONTROL_RESERVE : 0);
    }

    /**
     * Takes the credit of one packet.
     *
     * @return false when there is none
     */
    boolean take(boolean isControl) {
        int now = used.get();
        while (now - limit < (isControl ? CONTROL_RESERVE : 0)) {
            if (used.compareAndSet(now, now + 1)) {
                return true;
            }
            now = used.get();
        }
        return false;
    }

    /** The packet whose credit was taken was not sent. */
    void putBack() {
        used.decrementAndGet();
    }

    /** What the next packet has to say in {@link PacketHeader#CREDIT}. */
    public int toTell() {
        int now = granted;
        for (int before = told.get(); now - before > 0 && !told.compareAndSet(before, now); ) {
            before = told.get();
        }
        return now;
    }

    /**
     * A packet said how much this rank may have sent.
     *
     * @return false when no Sluice says that
     */
    public boolean onLimit(int newLimit) {
        int more = newLimit - limit;
        // Late news is below, and nobody grants more than the slots it can have; how many this rank has says nothing
        // about that.
        if (more <= -MOST || more > MOST) {
            return false;
        }
        if (more > 0) {
            limit = newLimit;
        }
        return true;
    }

    /**
     * A counted packet came in a receive slot, or took one.
     *
     * @return false when the peer had no right to send it
     */
    public boolean onPacket() {
        received++;
        int known = told.get() - received - back;
        if (known < -CONTROL_RESERVE) {
            return false;
        }
        if (known <= 0) {
            // It has used all that it knows of.
            borrow();
        }
        if (lent() <= target / 2) {
            granted = received + back + target;
        }
        return true;
    }

    /** What the peer may still send, as far as this rank has decided. */
    private int lent() {
        return granted - received - back;
    }

    /** The peer is busy: it gets twice as much ahead, as far as the slots go. */
    void borrow() {
        int more = Math.min(target, budget.mostForOne() - target);
        if (more > 0 && budget.lend(more)) {
            target += more;
            granted = received + back + target;
        }
    }

    /** True when the peer may soon have to wait for news that no packet has carried yet. */
    public boolean owesNews() {
        int known = told.get();
        return known != granted && known - received - back <= target / 4;
    }

    /**
     * Called at each look at the peers.
     *
     * @return true when nothing came since the last one, from a peer that holds more than it then needs, and that was
     *     not asked for it before: one that doesn't answer, as its program computes or it has little to give, would be
     *     asked for ever, and take a slot of its own each time
     */
    public boolean isIdle() {
        boolean isQuiet = received == receivedAtLook;
        receivedAtLook = received;
        return isQuiet && target > QUIET && received != receivedAtAsking;
    }

    /** The peer was asked for what it doesn't use. */
    public void asked() {
        receivedAtAsking = received;
    }

    /**
     * The peer asks for what this rank doesn't use.
     *
     * @return false when that is nothing
     */
    public boolean giveUp() {
        while (true) {
            int now = used.get();
            int more = limit - QUIET - now;
            if (more <= 0) {
                return false;
            }
            // A packet that is sent just now finds either its credit or none, and then waits as it would otherwise.
            if (used.compareAndSet(now, now + more)) {
                returned += more;
                return true;
            }
        }
    }

    /** What {@link #giveUp} gave up, in all. */
    public int returned() {
        return returned;
    }

    /**
     * The peer says how much it has given up, in all.
     *
     * @return how much that is more than before, or -1 when it is more than it can have
     */
    public int onReturned(int total) {
        int more = total - back;
        if (more < 0 || more > told.get() - received - back) {
            return -1;
        }
        back += more;
        int keep = Math.max(QUIET, lent());
        if (keep < target) {
            budget.giveBack(target - keep);
            target = keep;
        }
        return more;
    }

    /** Nothing comes from this peer any more; saying so again does nothing. */
    public void giveBack() {
        if (!isOver) {
            isOver = true;
            budget.giveBack(target);
            budget.endControl(CONTROL_RESERVE);
            target = 0;
        }
    }

    @Override
    public String toString() {
        return "Credits[may send " + (limit - used.get()) + ", has lent " + lent() + " of " + target + "]";
    }
}
