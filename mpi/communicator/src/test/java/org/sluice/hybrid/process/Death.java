package org.sluice.hybrid.process;

import java.util.Random;
import org.sluice.mpi.algorithm.Choice;
import org.sluice.mpi.algorithm.Collective;

/**
 * One that a test has planned, as all ranks are told.
 *
 * @param algorithm of the collective in which it happens
 * @param items of one rank's block
 * @param victim a rank of the job; all of its JVM go with it
 * @param second a rank that dies in the shrink that follows, or {@link #NOBODY}
 * @param starts whether all start the call and wait for its request, or wait in the call
 * @param seed of what is drawn besides
 */
record Death(Collective collective, String algorithm, int items, int victim, int second, boolean starts, long seed) {
    static final int NOBODY = -1;

    private static final int[] LENGTHS = {1, 300, 5_000};
    /** In pieces. */
    private static final int[] LONGER = {1, 300, 5_000, 20_000};
    /** Such as cells take. */
    private static final int[] SHORT = {1, 5, 100};

    static Death drawn(Collective collective, String algorithm, int victim, int second, Random random) {
        boolean isInCells = algorithm.equals(Choice.CELLS);
        int[] lengths = LENGTHS;
        switch (collective) {
            case BROADCAST:
                lengths = isInCells ? SHORT : LONGER;
                break;
            case REDUCE:
            case ALL_REDUCE:
                lengths = LONGER;
                break;
            default:
                lengths = isInCells ? SHORT : LENGTHS;
                break;
        }
        boolean isMessages = !isInCells && !algorithm.equals(Choice.TIERS);
        boolean starts = isMessages
                && collective != Collective.AGREEMENT
                && collective != Collective.FINISH
                && random.nextBoolean();
        return new Death(
                collective,
                algorithm,
                lengths[random.nextInt(lengths.length)],
                victim,
                second,
                starts,
                random.nextInt() & Integer.MAX_VALUE);
    }

    String told() {
        return collective + ":" + algorithm + ":" + items + ":" + victim + ":" + second + ":" + starts + ":" + seed;
    }

    static Death of(String told) {
        String[] parts = told.split(":");
        return new Death(
                Collective.valueOf(parts[0]),
                parts[1],
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3]),
                Integer.parseInt(parts[4]),
                Boolean.parseBoolean(parts[5]),
                Long.parseLong(parts[6]));
    }

    @Override
    public String toString() {
        return (starts ? "started " : "") + collective.words() + " by " + algorithm + " of " + items;
    }
}
