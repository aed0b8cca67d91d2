package org.sluice.bench.queens;

import org.sluice.device.Lease;

/**
 * A board to go on with, as the 88 bytes of a message: eleven longs.
 *
 * <pre>
 *  0  credit: its share of all that is to be done
 *  8  queens, then rows that are filled (an int each)
 * 16  columns, then left diagonals (an int each)
 * 24  right diagonals
 * 32  the column of the queen of each row (a byte each)
 * </pre>
 */
final class Task {
    static final int LONGS = 11;
    /** Of the whole problem. Shares stay above 0 as long as there are fewer tasks than this. */
    static final long ALL_CREDIT = 1L << 62;

    private static final int CREDIT = 0;
    private static final int SIZES = 1;
    private static final int HELD = 2;
    private static final int RIGHT = 3;
    private static final int ROWS = 4;

    final long[] longs = new long[LONGS];

    /** Becomes the empty board. */
    void begin(int queens) {
        java.util.Arrays.fill(longs, 0);
        longs[CREDIT] = ALL_CREDIT;
        longs[SIZES] = pair(queens, 0);
    }

    /** Becomes the parent with one more queen. */
    void follow(Task parent, int queen, long credit) {
        System.arraycopy(parent.longs, 0, longs, 0, LONGS);
        int row = parent.row();
        longs[CREDIT] = credit;
        longs[SIZES] = pair(parent.queens(), row + 1);
        longs[HELD] = pair(parent.columns() | queen, (parent.left() | queen) << 1);
        longs[RIGHT] = (parent.right() | queen) >>> 1;
        longs[ROWS + row / Long.BYTES] |= (long) Integer.numberOfTrailingZeros(queen) << row % Long.BYTES * Byte.SIZE;
    }

    void take(Lease message) {
        if (message.bytes() != (long) LONGS * Long.BYTES) {
            throw new IllegalStateException("a task of " + message.bytes() + " B; all have " + LONGS * Long.BYTES);
        }
        for (int i = 0; i < LONGS; i++) {
            longs[i] = message.getLong((long) i * Long.BYTES);
        }
    }

    long credit() {
        return longs[CREDIT];
    }

    int queens() {
        return (int) (longs[SIZES] >>> Integer.SIZE);
    }

    int row() {
        return (int) longs[SIZES];
    }

    int columns() {
        return (int) (longs[HELD] >>> Integer.SIZE);
    }

    int left() {
        return (int) longs[HELD];
    }

    int right() {
        return (int) longs[RIGHT];
    }

    private static long pair(int high, int low) {
        return (long) high << Integer.SIZE | low & 0xFFFFFFFFL;
    }

    /** @throws IllegalStateException where what it says of columns and diagonals isn't what its queens hold */
    void check(int queens) {
        int columns = 0;
        int left = 0;
        int right = 0;
        boolean isRight = queens() == queens && row() >= 0 && row() <= queens && credit() > 0;
        for (int row = 0; isRight && row < row(); row++) {
            int column = (int) (longs[ROWS + row / Long.BYTES] >>> row % Long.BYTES * Byte.SIZE) & 0xFF;
            int queen = 1 << column;
            isRight = column < queens && (queen & (columns | left | right)) == 0;
            columns |= queen;
            left = (left | queen) << 1;
            right = (right | queen) >>> 1;
        }
        if (!isRight || columns != columns() || left != left() || right != right()) {
            throw new IllegalStateException("wrong content: a task of " + queens() + " queens on " + row()
                    + " rows, where " + queens + " are to be placed: " + java.util.Arrays.toString(longs));
        }
    }
}
