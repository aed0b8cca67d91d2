package org.sluice.bench.kernels;

import java.util.Arrays;

/** Some rows of CG's matrix: a sum of products of random sparse vectors with themselves, each with a weight. */
final class SparseMatrix {
    /** The reciprocal of the matrix's condition. */
    private static final double CONDITION = 0.1;

    private static final double DIAGONAL = 0.5;

    private final int rows;
    /** Where each row begins, and the end of the last. */
    private final int[] start;

    private final int[] column;
    private final double[] value;

    private SparseMatrix(int rows, int[] start, int[] column, double[] value) {
        this.rows = rows;
        this.start = start;
        this.column = column;
        this.value = value;
    }

    /** @param first the first of the rows that this rank has */
    static SparseMatrix make(int all, int elements, double shift, int first, int rows) {
        int width = elements + 1;
        int[] columns = new int[all * width];
        double[] values = new double[all * width];
        int[] counts = vectors(all, elements, columns, values);
        int[] start = new int[rows + 1];
        for (int i = 0; i < all; i++) {
            for (int k = 0; k < counts[i]; k++) {
                int row = columns[i * width + k] - first;
                if (row >= 0 && row < rows) {
                    start[row + 1] += counts[i];
                }
            }
        }
        for (int row = 0; row < rows; row++) {
            start[row + 1] += start[row];
        }
        int[] column = new int[start[rows]];
        double[] value = new double[start[rows]];
        int[] at = Arrays.copyOf(start, rows);
        double ratio = Math.pow(CONDITION, 1.0 / all);
        double weight = 1;
        for (int i = 0; i < all; i++) {
            for (int k = i * width; k < i * width + counts[i]; k++) {
                int row = columns[k] - first;
                if (row >= 0 && row < rows) {
                    for (int other = i * width; other < i * width + counts[i]; other++) {
                        boolean isDiagonal = columns[other] == i && columns[k] == i;
                        column[at[row]] = columns[other];
                        value[at[row]++] = values[other] * (weight * values[k]) + (isDiagonal ? CONDITION - shift : 0);
                    }
                }
            }
            weight *= ratio;
        }
        return merged(rows, all, start, column, value);
    }

    /** How many elements each vector has; their places and values go where they belong. */
    private static int[] vectors(int all, int elements, int[] columns, double[] values) {
        int[] counts = new int[all];
        int width = elements + 1;
        int power = Integer.highestOneBit(all - 1) << 1;
        // The first number is drawn before the matrix is made.
        NasRandom random = new NasRandom(NasRandom.SEED).skip(1);
        for (int i = 0; i < all; i++) {
            int at = i * width;
            int count = 0;
            while (count < elements) {
                double drawn = random.next();
                int place = (int) (power * random.next());
                if (place < all && indexOf(columns, at, count, place) < 0) {
                    columns[at + count] = place;
                    values[at + count++] = drawn;
                }
            }
            int diagonal = indexOf(columns, at, count, i);
            if (diagonal < 0) {
                diagonal = at + count++;
                columns[diagonal] = i;
            }
            values[diagonal] = DIAGONAL;
            counts[i] = count;
        }
        return counts;
    }

    private static int indexOf(int[] columns, int from, int count, int place) {
        for (int i = from; i < from + count; i++) {
            if (columns[i] == place) {
                return i;
            }
        }
        return -1;
    }

    /** With one element for each place, in the order of columns. */
    private static SparseMatrix merged(int rows, int all, int[] start, int[] column, double[] value) {
        double[] dense = new double[all];
        boolean[] isThere = new boolean[all];
        int[] newStart = new int[rows + 1];
        int end = 0;
        for (int row = 0; row < rows; row++) {
            int from = end;
            int before = start[row];
            for (int k = before; k < start[row + 1]; k++) {
                int place = column[k];
                dense[place] += value[k];
                if (!isThere[place]) {
                    isThere[place] = true;
                    column[end++] = place;
                }
            }
            Arrays.sort(column, from, end);
            for (int k = from; k < end; k++) {
                value[k] = dense[column[k]];
                dense[column[k]] = 0;
                isThere[column[k]] = false;
            }
            newStart[row + 1] = end;
        }
        return new SparseMatrix(rows, newStart, Arrays.copyOf(column, end), Arrays.copyOf(value, end));
    }

    void multiply(double[] vector, double[] result) {
        int from = start[0];
        for (int row = 0; row < rows; row++) {
            int to = start[row + 1];
            double own = 0;
            for (int k = from; k < to; k++) {
                own += value[k] * vector[column[k]];
            }
            result[row] = own;
            from = to;
        }
    }
}
