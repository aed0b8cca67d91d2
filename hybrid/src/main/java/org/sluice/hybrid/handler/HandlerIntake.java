package org.sluice.hybrid.handler;

/**
 * How many packets a round takes on the handlers' account: one where messages come one at a time, as a look for
 * another, at a cache line that the sender has, would hold up the handler of the first; more, the more the rounds
 * before brought. And which rank is looked at between rounds.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code HandlerIntakeTest}.
 */
final class HandlerIntake {
    private static final int BATCH = 16;
    private static final int ENOUGH_IN_A_ROW = 8;
    private static final int LOOKS_PER_ROUND = 64;

    /** Messages that came and were not handled. */
    private long waiting;

    private int wanted = 1;
    private int came;
    /** Who sent the last message, and how many it has sent since somebody else did. */
    private int source = -1;

    private long inARow;

    /** A round brought a message. */
    void came(int from) {
        taken(from);
        came++;
    }

    /** A message of the {@link #onlySource} was found without a round. */
    void taken(int from) {
        waiting++;
        if (from == source) {
            inARow++;
        } else {
            source = from;
            inARow = 0;
        }
    }

    /**
     * Whose ring is worth a look of its own between rounds; or -1, now and then also where there is one, so that rounds
     * are made all the same.
     */
    int onlySource() {
        return inARow >= ENOUGH_IN_A_ROW && inARow % LOOKS_PER_ROUND != 0 ? source : -1;
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
