package org.sluice.bench.rank;

/**
 * Work for the processor alone, as long as was asked for: a loop that calls nothing and touches no memory. How many
 * turns a nanosecond holds is learned from the best time so far, as in others something else had the core.
 *
 * <p><i>Thread</i>: one.
 */
final class Computation {
    private static final long FIRST_TURNS = 100_000;
    /** Of a linear congruential generator: each turn needs the one before, so that none is left out. */
    private static final long MULTIPLIER = 6364136223846793005L;

    private double turnsOfANano;
    private long turns = FIRST_TURNS;
    private long state = 1;

    /** How long the next ones are to take. */
    void take(long nanos) {
        if (turnsOfANano > 0) {
            turns = Math.max(1, (long) (nanos * turnsOfANano));
        }
    }

    /** @return nanoseconds that it took */
    long timed() {
        long start = System.nanoTime();
        run();
        long nanos = Math.max(1, System.nanoTime() - start);
        turnsOfANano = Math.max(turnsOfANano, (double) turns / nanos);
        return nanos;
    }

    void run() {
        state = turned(state, turns);
    }

    private static long turned(long from, long turns) {
        long value = from;
        for (long turn = 0; turn < turns; turn++) {
            value = value * MULTIPLIER + turn;
        }
        return value;
    }

    /** What it came to; a result that nobody could ask for need not be computed. */
    long state() {
        return state;
    }
}
