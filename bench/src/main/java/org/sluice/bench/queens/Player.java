package org.sluice.bench.queens;

/** One rank's part in a solution: by whichever calls. <i>Thread</i>: the rank's. */
interface Player extends AutoCloseable {
    /** Before a solution, ahead of a barrier: what comes from then on belongs to it. */
    void begin(QueensProblem problem);

    /** All ranks call it; returns when all tasks of all ranks are done. */
    RankShare play();

    @Override
    void close();
}
