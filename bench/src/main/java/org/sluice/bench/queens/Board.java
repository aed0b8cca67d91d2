package org.sluice.bench.queens;

/** Queens on rows from the top, of which none attacks another; columns and diagonals that they hold as bits. */
final class Board {
    /** By queens, how many ways there are. */
    private static final long[] KNOWN = {
        1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14_200, 73_712, 365_596, 2_279_184, 14_772_512, 95_815_104
    };

    private Board() {}

    static int largest() {
        return KNOWN.length - 1;
    }

    static long known(int queens) {
        return KNOWN[queens];
    }

    static int all(int queens) {
        return (1 << queens) - 1;
    }

    /** Ways to fill the rows that are left; left and right are the diagonals as they meet the next row. */
    static long solutions(int all, int columns, int left, int right) {
        if (columns == all) {
            return 1;
        }
        long found = 0;
        for (int free = all & ~(columns | left | right); free != 0; free &= free - 1) {
            int queen = free & -free;
            found += solutions(all, columns | queen, (left | queen) << 1, (right | queen) >>> 1);
        }
        return found;
    }
}
