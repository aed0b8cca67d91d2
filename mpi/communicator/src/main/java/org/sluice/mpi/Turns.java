package org.sluice.mpi;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.sluice.device.layer.LayerNotice;
import org.sluice.mpi.algorithm.Collective;

/**
 * What a rank has called last on a communicator, turn by turn: as all make the same calls in the same order, two that
 * have other calls in the same turn don't fit together, whatever each of them waits for. Who waits for long asks others
 * what they have; who is asked compares.
 *
 * <p><i>Thread</i>: {@link #begin} those that call; {@link #takeFound} any; the rest under the device's lock.
 */
final class Turns {
    /** As a notice's second word, where {@link Breakdown} has its kinds. */
    static final int QUESTION = -1;

    /** A power of two. */
    private static final int KEPT = 8;

    /** Each with its turn in the upper half, and {@link Call#signature} in the lower. */
    private final AtomicLongArray calls = new AtomicLongArray(KEPT);
    /** The turn in which this rank was found waiting last, and how often. */
    private int waitsIn;

    private int looks;
    private final AtomicReference<Breakdown> found = new AtomicReference<>();

    void begin(int turn, int signature) {
        calls.lazySet(turn & KEPT - 1, (long) turn << Integer.SIZE | signature & 0xFFFF_FFFFL);
    }

    private static int turnOf(long call) {
        return (int) (call >>> Integer.SIZE);
    }

    /**
     * Whether one that waits is to ask now: when it has waited for a whole time between two looks, and then more and
     * more seldom. Others may come to another call of this turn later.
     */
    boolean isToAsk(int turn) {
        if (waitsIn != turn) {
            waitsIn = turn;
            looks = 0;
            return false;
        }
        looks++;
        return (looks & looks - 1) == 0;
    }

    LayerNotice question(int communicator, int turn) {
        return new LayerNotice(communicator, QUESTION, call(turn), call(turn - 1), call(turn - 2));
    }

    private long call(int turn) {
        return calls.get(turn & KEPT - 1);
    }

    /** @return null unless it is sure that both are in different calls */
    Breakdown compare(LayerNotice question, int asking, int own) {
        // Calls that return at once may be taken for later ones: those before are looked at, too.
        Breakdown earlier = compare(question.fifth(), asking, own);
        earlier = earlier == null ? compare(question.fourth(), asking, own) : earlier;
        return earlier == null ? compare(question.third(), asking, own) : earlier;
    }

    private Breakdown compare(long other, int asking, int own) {
        long mine = call(turnOf(other));
        int theirs = (int) other;
        int ours = (int) mine;
        // Neighbours may agree on what others know nothing of.
        boolean isOther = turnOf(mine) == turnOf(other)
                && !Call.fitTogether(theirs, ours)
                && !(Call.collectiveOf(theirs) == Call.collectiveOf(ours)
                        && isAmongNeighbours(Call.collectiveOf(ours)));
        return isOther ? new Breakdown(Breakdown.Kind.MISMATCH, asking, own, ours, theirs, null) : null;
    }

    private static boolean isAmongNeighbours(Collective collective) {
        return collective != null && collective.isOfNeighbours();
    }

    /** To be told to all, by whom may. */
    void found(Breakdown newFound) {
        found.set(newFound);
    }

    /** What nobody has told yet, or null: whoever takes it tells it. */
    Breakdown takeFound() {
        return found.get() == null ? null : found.getAndSet(null);
    }
}
