package org.sluice.bench.rank;

import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Step;

/**
 * With whom a rank exchanges messages that are all answered, by places: of each message that it sends to whom, and of
 * each that comes from whom, and in which place its sender has it.
 *
 * <p>In a ring places 0 to k - 1 go to the neighbours on the left, the nearest first, and k to 2k - 1 to those on the
 * right; a message comes in the place that its answer's next message goes from. With few ranks one may be several
 * neighbours, which the places tell apart.
 */
final class Partners {
    final int[] to;
    final int[] from;
    final int[] fromPlace;

    private final Step step;

    private Partners(Step step, int[] to, int[] from, int[] fromPlace) {
        this.step = step;
        this.to = to;
        this.from = from;
        this.fromPlace = fromPlace;
    }

    static Partners of(Step step, int rank, int ranks) {
        return step.benchmark() == Benchmark.ONE_TO_ALL ? oneToAll(step, rank, ranks) : ring(step, rank, ranks);
    }

    private static Partners ring(Step step, int rank, int ranks) {
        int places = step.window();
        int k = places / 2;
        int[] neighbours = new int[places];
        int[] fromPlace = new int[places];
        for (int place = 0; place < places; place++) {
            int away = place < k ? -(place + 1) : place - k + 1;
            neighbours[place] = Math.floorMod(rank + away, ranks);
            fromPlace[place] = (place + k) % places;
        }
        return new Partners(step, neighbours, neighbours, fromPlace);
    }

    /** Place p of rank 0 goes to rank p + 1. */
    private static Partners oneToAll(Step step, int rank, int ranks) {
        if (rank > 0) {
            return new Partners(step, new int[0], new int[] {0}, new int[] {rank - 1});
        }
        int[] others = new int[ranks - 1];
        for (int place = 0; place < others.length; place++) {
            others[place] = place + 1;
        }
        return new Partners(step, others, new int[0], new int[0]);
    }

    /** Whether the message is the one that small ones must not wait for. */
    boolean isHuge(int sentPlace) {
        return step.benchmark() == Benchmark.KNEIGHBOR_HUGE && sentPlace == 0;
    }

    /** Of the message that a rank sends from this place. */
    int bytes(int sentPlace) {
        return isHuge(sentPlace) ? Step.HUGE_BYTES : step.size();
    }

    /** Of its answer: what came, or nothing. */
    int answerBytes(int sentPlace) {
        return step.benchmark() == Benchmark.ONE_TO_ALL ? 0 : bytes(sentPlace);
    }

    /** Answers whose time counts. */
    int counted() {
        return to.length - (step.benchmark() == Benchmark.KNEIGHBOR_HUGE ? 1 : 0);
    }
}
