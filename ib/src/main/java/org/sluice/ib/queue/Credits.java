package org.sluice.ib.queue;

import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.ib.wire.PacketHeader;

/**
 * One peer's share of this rank's receive slots, and this rank's share of the peer's. Both are counted from the start of the connection and
 * only grow, so that news of them may be lost, repeated or late; they wrap, and only differences mean anything.
 *
 * <p>A quiet peer holds {@link #LEAST}; one that used up what it had, or to which credit had to be sent in a packet of its own, gets twice as
 * much, as far as the slots go. Control packets may go
 * {@link #CONTROL_RESERVE} beyond the limit, so that a peer without credit can still answer.
 *
 * <p><i>Thread</i>: {@link #mayTake} and {@link #sent} under the peer's send lock, {@link #toTell} any, the rest under the progress lock.
 * <i>Proof</i>: {@code CreditsTest}.
 */
public final class Credits {
    /** What both ends begin with. */
    public static final int LEAST = 2;
    public static final int CONTROL_RESERVE = 4;

    /** Receive slots that any rank can have: the most that sluice.ib.slots allows. */
    public static final int MOST = 1 << 16;

    private final SlotBudget budget;

    private int received;
    private int target = LEAST;
    private boolean isOver;
    /** Written under the progress lock, read by {@link #toTell}: one word that publishes nothing else; an old value is old news. */
    private volatile int granted = LEAST;
    /** The highest grant that a packet has carried. */
    private final AtomicInteger told = new AtomicInteger(LEAST);

    private int sent;
    /** Written under the progress lock, read by {@link #mayTake} under the send lock: one word, as {@link #granted}. */
    private volatile int limit = LEAST;

    public Credits(SlotBudget budget) {
        this.budget = budget;
        budget.promise(LEAST + CONTROL_RESERVE);
    }

    /** Whether one more packet may be sent. */
    boolean mayTake(boolean isControl) {
        return sent - limit < (isControl ? CONTROL_RESERVE : 0);
    }

    void sent() {
        sent++;
    }

    /** What the next packet has to say in {@link PacketHeader#CREDIT}. */
    int toTell() {
        int now = granted;
        for (int before = told.get(); now - before > 0 && !told.compareAndSet(before, now);) {
            before = told.get();
        }
        return now;
    }

    /** The sequence of the next counted packet. */
    public int expected() {
        return received + 1;
    }

    /**
     * A packet said how much this rank may have sent.
     *
     * @return false when no Sluice says that
     */
    public boolean onLimit(int newLimit) {
        int more = newLimit - limit;
        // Late news is below, and nobody grants more than the slots it can have; how many this rank has says nothing about that.
        if (more <= -MOST || more > MOST) {
            return false;
        }
        if (more > 0) {
            limit = newLimit;
        }
        return true;
    }

    /** A counted packet came. @return false when the peer had no right to send it */
    public boolean onPacket() {
        received++;
        int known = told.get() - received;
        if (known < -CONTROL_RESERVE) {
            return false;
        }
        if (known <= 0) {
            // It has used all that it knows of.
            borrow();
        }
        if (granted - received <= target / 2) {
            granted = received + target;
        }
        return true;
    }

    /** The peer is busy: it gets twice as much ahead, as far as the slots go. */
    void borrow() {
        int more = Math.min(target, budget.mostForOne() - target);
        if (more > 0 && budget.lend(more)) {
            target += more;
            granted = received + target;
        }
    }

    /** True when the peer may soon have to wait for news that no packet has carried yet. */
    public boolean owesNews() {
        int known = told.get();
        return known != granted && known - received <= target / 4;
    }

    /** Nothing comes from this peer any more; saying so again does nothing. */
    public void giveBack() {
        if (!isOver) {
            isOver = true;
            budget.giveBack(target + CONTROL_RESERVE);
            target = 0;
        }
    }

    @Override
    public String toString() {
        return "Credits[may send " + (limit - sent) + ", has lent " + (granted - received) + " of " + target + "]";
    }
}
