package org.sluice.bench.queens;

import org.sluice.bench.plan.Api;

/**
 * What is to be solved, and how.
 *
 * @param threshold queens that are placed by tasks
 * @param verify whether each task that comes is checked
 */
public record QueensProblem(int queens, int threshold, Api api, boolean verify) {
    public static final int QUEENS_LEAST = 4;
    public static final int THRESHOLD_MOST = 10;

    /** More have no count to be checked by. */
    public static int queensMost() {
        return Board.largest();
    }

    /** @throws IllegalArgumentException with what is allowed */
    public QueensProblem {
        if (queens < QUEENS_LEAST || queens > queensMost()) {
            throw new IllegalArgumentException(
                    "--n " + queens + " is out of range; allowed is " + QUEENS_LEAST + " to " + queensMost());
        }
        int most = Math.min(THRESHOLD_MOST, queens);
        if (threshold < 1 || threshold > most) {
            throw new IllegalArgumentException("--threshold " + threshold + " is out of range; allowed is 1 to " + most
                    + " for " + queens + " queens");
        }
        if (api != Api.HANDLER && api != Api.COROUTINE) {
            throw new IllegalArgumentException(
                    "--api " + api.label() + " has no nqueens; allowed are --api handler, --api coroutine");
        }
    }

    /** The same calls for fewer queens, before anything is timed. */
    QueensProblem smaller(int most) {
        return queens <= most ? this : new QueensProblem(most, threshold, api, verify);
    }
}
