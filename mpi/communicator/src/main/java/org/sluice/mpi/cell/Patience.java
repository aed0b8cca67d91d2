package org.sluice.mpi.cell;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.schedule.MismatchException;
import org.sluice.mpi.schedule.Ranks;

/**
 * How a rank waits for what another writes to a cell: it looks again and again, lets others have the core after a
 * while, and naps in the end. Meanwhile the device makes progress, and a peer that is gone is found.
 *
 * <p><i>Thread</i>: one. <i>Fails</i>: as a receive from that peer. <i>Proof</i>: {@code PatienceTest}.
 */
public final class Patience {
    /** Some tens of microseconds. */
    private static final int SPINS = 2_000;

    private static final int SPINS_PER_ROUND = 64;
    /** Of all waits together: short ones alone make rounds, too. */
    private static final int LOOKS_PER_ROUND = 1_024;

    private static final int YIELDS = 400;
    /** Of all waits together. Each yield may be as long as another rank's turn, and a round adds a tenth to that. */
    private static final int YIELDS_PER_ROUND = 8;

    private static final long NAP_NANOS = 50_000;
    /** Naps between two looks whether the peer lives. */
    private static final int NAPS_PER_LOOK = 20;

    private static final int NOTHING = -1;
    private static final int GONE = -2;

    private final Layer layer;
    private final Ranks ranks;
    /** Of messages of the same collectives: one that comes says that the peer makes another call. */
    private final int context;

    private final IntPredicate isIdle;
    private final BooleanSupplier isOver;
    private final int contexts;
    private final int spins;
    private int lost;
    private int looks;
    private int yields;
    /** When it began to nap, and how long afterwards the device is told of it. */
    private long napsSince;

    private long told;
    private SluiceException gone;

    /**
     * Over some contexts.
     *
     * @param contexts how many there are from that one on
     * @param isIdle whether this rank has nothing on its way in the context of this number
     * @param isOver whether nobody goes on with what is waited for
     */
    public Patience(Layer layer, Ranks ranks, int context, int contexts, IntPredicate isIdle, BooleanSupplier isOver) {
        this.layer = layer;
        this.ranks = ranks;
        this.context = context;
        this.contexts = contexts;
        this.isIdle = isIdle;
        this.isOver = isOver;
        this.spins = layer.spins() ? SPINS : 0;
    }

    /** Something is to be waited for. */
    void begin() {
        lost = 0;
    }

    /**
     * It isn't there yet.
     *
     * @return for {@link #refuse}, unless the peer has shown by then what is waited for
     */
    int lose(int peer) {
        lost++;
        if (lost < spins) {
            if (lost % SPINS_PER_ROUND == 0 || ++looks % LOOKS_PER_ROUND == 0) {
                layer.device().progress();
                if (isOver.getAsBoolean()) {
                    return over();
                }
            }
            Thread.onSpinWait();
            return NOTHING;
        }
        if (lost < spins + YIELDS) {
            if (++yields % YIELDS_PER_ROUND == 0) {
                layer.device().progress();
                if (isOver.getAsBoolean()) {
                    return over();
                }
            }
            layer.yieldCore();
            return NOTHING;
        }
        layer.device().progress();
        if (isOver.getAsBoolean()) {
            return over();
        }
        if (lost == spins + YIELDS) {
            napsSince = System.nanoTime();
            told = 0;
        }
        LockSupport.parkNanos(NAP_NANOS);
        if (lost % NAPS_PER_LOOK != 0) {
            return NOTHING;
        }
        tell(peer);
        return look(peer);
    }

    private void tell(int peer) {
        long waited = System.nanoTime() - napsSince;
        if (waited >= told) {
            long more = layer.waitsInMemory(ranks.inDevice(peer), waited);
            told = more == Layer.ENOUGH ? Long.MAX_VALUE : waited + more;
        }
    }

    private int over() {
        gone = new SluiceException(ErrorCode.CANCELLED, "the communicator's collectives are over");
        return GONE;
    }

    private int look(int peer) {
        for (int i = 0; i < contexts; i++) {
            Status message;
            try {
                message = layer.iprobe(ranks.inDevice(peer), Device.ANY_TAG, context + i);
            } catch (SluiceException e) {
                gone = e;
                return GONE;
            }
            if (message != null && isIdle.test(i)) {
                return message.tag();
            }
        }
        return NOTHING;
    }

    /**
     * What was waited for isn't there, also after {@link #lose} has returned this.
     *
     * @param found what that returned
     */
    void refuse(int peer, int found) {
        if (found == GONE) {
            throw gone;
        }
        if (found != NOTHING) {
            throw new MismatchException(peer, found);
        }
    }
}
