package org.sluice.hybrid.progress;

import java.util.function.BooleanSupplier;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * How long a waiting thread spins, and then yields, before it parks.
 *
 * @param spinNanos 0 where there are more ranks than cores: whoever spins there keeps the sender from running
 * @param yieldNanos how long it yields between polls afterwards
 * @param isWrittenTo senders write into memory that this rank polls, which wakes nobody: they are asked to stop before
 *     it sleeps
 * @param isCoreWanted whether the kernel needs the cores that ranks run on for their long messages now, so that nobody
 *     spins; null where it never does
 * @param spinners how many threads of this rank may spin at once; where more wait none does, see {@link Window}
 */
public record WaitPolicy(
        long spinNanos,
        long yieldNanos,
        long peerCheckNanos,
        boolean isWrittenTo,
        BooleanSupplier isCoreWanted,
        int spinners) {
    private static final long DEFAULT_SPIN_US = 50;
    private static final long DEFAULT_YIELD_US = 1000;
    /**
     * Several time slices, where ranks share cores: whoever waits for a rank that has to wait for its core would
     * otherwise park, and waking it up costs a hundred times what a yield does. Where senders write what wakes nobody,
     * too: whoever parks has them stop that first.
     */
    private static final long PATIENT_YIELD_US = 20_000;
    /** More than a hop of a slow adapter: where nothing wakes anybody, there is nothing better to do meanwhile. */
    private static final long LANDING_SPIN_US = 1000;
    /**
     * More than the time slices for which a hop now and then stands still. Where threads of the kernel carry short
     * messages, one who yields was seen to wait twice as long for them.
     */
    private static final long SOFT_ROCE_SPIN_US = 10_000;
    /**
     * Several time slices: each hop needs threads of the kernel to have a core, and whoever parks between two messages
     * is woken by way of three more (the helper, the progress thread, its own).
     */
    private static final long SOFT_ROCE_YIELD_US = 50_000;
    /** Longer than a hop of an adapter in software takes, unless it waits for a core itself. */
    private static final long NAP_AFTER_NANOS = 300_000;
    /** Some microseconds: past them an ordinary wait looks at the clock. */
    private static final int DIRECT_ROUNDS = 256;

    static final int ANY_NUMBER = Integer.MAX_VALUE;

    /**
     * @param coresEach how many cores each rank of this node has, as all may use the same; 0 where the ranks are more
     *     than the cores
     * @param landing senders write into memory that this rank polls
     * @param softRoce what moves this rank's messages over verbs is the kernel, on the cores that ranks run on: whoever
     *     spins there keeps long ones from moving. It tells whether such go or did lately; null where an adapter does
     *     it, or there are no such messages
     */
    public static WaitPolicy of(Options options, int coresEach, boolean landing, BooleanSupplier softRoce) {
        boolean crowded = coresEach == 0;
        long spinUs = options.number(Option.WAIT_SPIN_US);
        boolean isChosen = spinUs >= 0;
        BooleanSupplier isCoreWanted = isChosen ? null : softRoce;
        if (!isChosen) {
            spinUs = crowded ? 0 : softRoce != null ? SOFT_ROCE_SPIN_US : landing ? LANDING_SPIN_US : DEFAULT_SPIN_US;
        }
        long yieldUs = options.number(Option.WAIT_YIELD_US);
        if (yieldUs < 0) {
            yieldUs = softRoce != null ? SOFT_ROCE_YIELD_US : crowded || landing ? PATIENT_YIELD_US : DEFAULT_YIELD_US;
        }
        return new WaitPolicy(
                spinUs * 1000,
                yieldUs * 1000,
                options.number(Option.PEER_CHECK_MS) * 1_000_000,
                landing,
                isCoreWanted,
                isChosen ? ANY_NUMBER : Math.max(1, coresEach));
    }

    /** Where whatever comes wakes a sleeper, and any number of threads may spin. */
    public WaitPolicy(long spinNanos, long yieldNanos, long peerCheckNanos) {
        this(spinNanos, yieldNanos, peerCheckNanos, false, null, ANY_NUMBER);
    }

    /** 0 where nobody spins now. */
    @Override
    public long spinNanos() {
        return isCoreWanted != null && isCoreWanted.getAsBoolean() ? 0 : spinNanos;
    }

    /**
     * As {@link #spinNanos}, for one who waits beside the leader: it polls nothing, and the leader may need its core.
     */
    long besideNanos() {
        return isCoreWanted != null ? Math.min(spinNanos(), DEFAULT_SPIN_US * 1000) : spinNanos();
    }

    /**
     * Whether one who has waited for so long leaves the core for a moment between two rounds, instead of asking for it
     * again at once: where the kernel moves messages on the cores that ranks run on, the rounds themselves keep it from
     * that.
     */
    boolean naps(long idleNanos) {
        return idleNanos >= NAP_AFTER_NANOS && isCoreWanted != null && isCoreWanted.getAsBoolean();
    }

    boolean spins() {
        return spinNanos() != 0;
    }

    /** How many rounds a direct receive polls. */
    int directRounds() {
        return spins() ? DIRECT_ROUNDS : 1;
    }
}
