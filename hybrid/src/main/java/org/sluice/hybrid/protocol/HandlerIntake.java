package org.sluice.hybrid.protocol;

/**
 * How many packets a round takes on the handlers' account: one where messages come one at a time, as a look for another, at a cache line that the sender has,
 * would hold up the handler of the first; more, the more the rounds before brought.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code HandlerIntakeTest}.
 */
final class HandlerIntake {
    private static final int BATCH = 16;

    /** Messages that came and were not handled. */
    private long waiting;
    private int wanted = 1;
    private int came;

    void came() {
        waiting++;
        came++;
    }

    void handled() {
        waiting--;
    }

    long waiting() {
        return waiting;
    }

    /** For the next round; 0 where there is enough to do. */
    int packetsWanted() {
        wanted = Math.max(1, came < wanted ? came : Math.min(2 * came, BATCH));
        came = 0;
        return waiting < BATCH ? wanted : 0;
    }
}
