package org.sluice.bench.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.sluice.bench.plan.Step;

/**
 * The floor of a barrier between threads: the fastest of the JDK's two and one that does nothing but count and spin. A
 * short trial before the first step finds it: a step has as many iterations as the fastest contestant needs, and one
 * that parks is a hundred times slower.
 *
 * <p><i>Thread</i>: the rank's; the ranks share the barriers. <i>Proof</i>: {@code BarrierStepsTest}.
 */
final class BarrierSteps implements Steps {
    /** One way to meet. */
    interface Barrier {
        void await(int rank);
    }

    /** Of each kind in each pass. */
    static final int TRIAL_ROUNDS = 1_000;
    /** The last one counts: what is compiled is so by then. */
    static final int TRIAL_PASSES = 2;

    private final int rank;
    private final Shared shared;
    private Barrier fastest;

    private BarrierSteps(int rank, Shared shared) {
        this.rank = rank;
        this.shared = shared;
    }

    /**
     * Those of all ranks.
     *
     * @param cores that the ranks have
     */
    static List<Steps> ofAll(int ranks, int cores) {
        CyclicBarrier cyclic = new CyclicBarrier(ranks);
        Phaser phaser = new Phaser(ranks);
        return ofAll(
                ranks,
                List.of(
                        rank -> await(cyclic),
                        rank -> phaser.arriveAndAwaitAdvance(),
                        new SenseReversing(ranks, ranks > cores)),
                System::nanoTime);
    }

    /** @param clock what the trial is measured with */
    static List<Steps> ofAll(int ranks, List<Barrier> kinds, LongSupplier clock) {
        Shared shared = new Shared(ranks, kinds, clock);
        List<Steps> all = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            all.add(new BarrierSteps(rank, shared));
        }
        return all;
    }

    @Override
    public long[] run(Step step) {
        if (fastest == null) {
            fastest = tried();
        }
        return time(fastest, step);
    }

    /** @return the same one on all ranks */
    private Barrier tried() {
        for (int kind = 0; kind < shared.kinds.size(); kind++) {
            long nanos = 0;
            for (int pass = 0; pass < TRIAL_PASSES; pass++) {
                long start = shared.clock.getAsLong();
                meet(shared.kinds.get(kind), TRIAL_ROUNDS);
                nanos = shared.clock.getAsLong() - start;
            }
            shared.totals.addAndGet(kind, nanos);
        }
        await(shared.meeting);
        return shared.fastest();
    }

    private void meet(Barrier barrier, int rounds) {
        for (int i = 0; i < rounds; i++) {
            barrier.await(rank);
        }
    }

    private long[] time(Barrier barrier, Step step) {
        long[] samples = new long[step.batches()];
        meet(barrier, step.leadIn());
        long start = System.nanoTime();
        for (int batch = 0; batch < samples.length; batch++) {
            meet(barrier, step.batch());
            long end = System.nanoTime();
            samples[batch] = end - start;
            start = end;
        }
        return samples;
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException("a rank has ended", e);
        }
    }

    @Override
    public void close() {
        // Nothing but memory.
    }

    /** What the ranks have in common. */
    private static final class Shared {
        final List<Barrier> kinds;
        final CyclicBarrier meeting;
        /** By kind, the nanoseconds of all ranks in the trial. */
        final AtomicLongArray totals;

        final LongSupplier clock;

        Shared(int ranks, List<Barrier> kinds, LongSupplier clock) {
            this.kinds = kinds;
            this.clock = clock;
            meeting = new CyclicBarrier(ranks);
            totals = new AtomicLongArray(kinds.size());
        }

        Barrier fastest() {
            int fastest = 0;
            for (int kind = 1; kind < totals.length(); kind++) {
                fastest = totals.get(kind) < totals.get(fastest) ? kind : fastest;
            }
            return kinds.get(fastest);
        }
    }

    /** The last one to come turns the sense that the others wait for (Hensgen, Finkel, Manber 1988). */
    static final class SenseReversing implements Barrier {
        /** Of booleans, so that no two ranks write to one cache line, nor to neighbours. */
        private static final int APART = 128;

        private final int ranks;
        private final boolean yields;
        private final boolean[] own;
        private final AtomicInteger left;
        private volatile boolean sense;

        /** @param yields whether one that waits may keep the core from one that is to come */
        SenseReversing(int ranks, boolean yields) {
            this.ranks = ranks;
            this.yields = yields;
            this.own = new boolean[(ranks + 1) * APART];
            this.left = new AtomicInteger(ranks);
        }

        @Override
        public void await(int rank) {
            int at = (rank + 1) * APART - 1;
            boolean next = !own[at];
            own[at] = next;
            if (left.decrementAndGet() == 0) {
                left.setPlain(ranks);
                // Publishes the count to those that come again.
                sense = next;
                return;
            }
            while (sense != next) {
                if (yields) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
            }
        }
    }
}
