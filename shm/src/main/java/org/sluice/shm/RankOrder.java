package org.sluice.shm;

import java.util.Arrays;

/** Ranks as channels keep them. */
public final class RankOrder {
    private RankOrder() {}

    /** By rank: where it is among these, which are ascending; nothing sensible for a rank that is none of them. */
    public static int[] places(int[] ranks) {
        int[] places = new int[ranks.length == 0 ? 0 : ranks[ranks.length - 1] + 1];
        for (int place = 0; place < ranks.length; place++) {
            places[ranks[place]] = place;
        }
        return places;
    }

    /**
     * The ranks of {@code given} as peers of a rank, ascending; refuses one that isn't in the job, is itself, or comes
     * twice.
     */
    public static int[] peers(int[] given, int rank, int size) {
        int[] peers = ascending(given);
        for (int i = 0; i < peers.length; i++) {
            if (peers[i] < 0 || peers[i] >= size || peers[i] == rank || i > 0 && peers[i] == peers[i - 1]) {
                throw new IllegalArgumentException("the peers of rank " + rank + " are " + Arrays.toString(peers)
                        + "; allowed are other ranks from 0 to " + (size - 1) + ", each once");
            }
        }
        return peers;
    }

    /** An ascending copy. Most often they are ascending already, and then the JDK's sorting code need not be loaded. */
    public static int[] ascending(int[] ranks) {
        int[] copy = ranks.clone();
        for (int i = 1; i < copy.length; i++) {
            if (copy[i] < copy[i - 1]) {
                Arrays.sort(copy);
                return copy;
            }
        }
        return copy;
    }
}
