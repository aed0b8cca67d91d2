package org.sluice.shm;

import java.util.Arrays;

/** Ranks as channels keep them. */
public final class RankOrder {
    private RankOrder() {
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
