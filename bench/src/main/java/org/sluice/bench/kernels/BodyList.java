package org.sluice.bench.kernels;

import java.util.Arrays;

/** Bodies one after the other, as {@link Octree} takes them. */
final class BodyList {
    private double[] numbers = new double[Octree.NUMBERS];
    private int count;

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    /** At least those that were added; another array after the next call. */
    double[] numbers() {
        return numbers;
    }

    void add(double[] from, int at, int bodies) {
        int used = count * Octree.NUMBERS;
        int added = bodies * Octree.NUMBERS;
        if (numbers.length < used + added) {
            numbers = Arrays.copyOf(numbers, Math.max(used + added, 2 * numbers.length));
        }
        System.arraycopy(from, at, numbers, used, added);
        count += bodies;
    }
}
