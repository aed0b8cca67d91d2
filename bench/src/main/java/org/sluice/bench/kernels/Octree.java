package org.sluice.bench.kernels;

import java.util.Arrays;

/**
 * Bodies of a cube in cells of cells. Cells are numbered in the order of a walk in which each comes before what it has
 * inside, so that a walk goes on with the next number, or skips to the one after all that is inside.
 */
final class Octree {
    /** A body, or a cell's centre of mass: place and mass. */
    static final int NUMBERS = 4;

    /** Of a key for each axis, from the largest cells down. */
    private static final int LEVELS = 14;

    private static final int INDEX_BITS = 21;
    /** So many bodies are in a cell without cells, or more if they are nearer than keys tell. */
    private static final int LEAF = 8;

    private static final int AXES = 3;

    private long[] keys = {};
    private double[] bodies = {};
    private double[] centres = new double[NUMBERS];
    private double[] sides = new double[1];
    /** For each cell: the one after all that is inside; its bodies, none if it has cells. */
    private int[] next = new int[1];

    private int[] first = new int[1];
    private int[] end = new int[1];
    private int cells;
    private double side;

    /** @param places of bodies, {@link #NUMBERS} numbers each */
    void build(double[] places, int count) {
        if (count >= 1 << INDEX_BITS) {
            throw new IllegalArgumentException(count + " bodies are more than keys have room for");
        }
        if (keys.length < count) {
            keys = new long[count];
            bodies = new double[count * NUMBERS];
        }
        setKeys(places, count);
        Arrays.sort(keys, 0, count);
        for (int i = 0; i < count; i++) {
            int from = (int) (keys[i] & (1 << INDEX_BITS) - 1) * NUMBERS;
            System.arraycopy(places, from, bodies, i * NUMBERS, NUMBERS);
        }
        cells = 0;
        if (count > 0) {
            add(0, count, 0);
        }
    }

    /** Some of them, in the order of the tree. */
    double[] bodies(int from, int count) {
        return Arrays.copyOfRange(bodies, from * NUMBERS, (from + count) * NUMBERS);
    }

    private void setKeys(double[] places, int count) {
        double[] low = new double[AXES];
        side = Double.MIN_NORMAL;
        for (int axis = 0; axis < AXES; axis++) {
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < count; i++) {
                least = Math.min(least, places[i * NUMBERS + axis]);
                most = Math.max(most, places[i * NUMBERS + axis]);
            }
            low[axis] = least;
            side = Math.max(side, most - least);
        }
        double scale = (1 << LEVELS) / side;
        int highest = (1 << LEVELS) - 1;
        for (int i = 0; i < count; i++) {
            long key = 0;
            for (int axis = 0; axis < AXES; axis++) {
                int cell = Math.min(highest, (int) ((places[i * NUMBERS + axis] - low[axis]) * scale));
                key |= spread(cell) << axis;
            }
            keys[i] = key << INDEX_BITS | i;
        }
    }

    /** Each bit at three times its place. */
    private static long spread(int bits) {
        long x = bits;
        x = (x | x << 16) & 0xFF0000FFL;
        x = (x | x << 8) & 0xF00F00F00FL;
        x = (x | x << 4) & 0xC30C30C30C3L;
        return (x | x << 2) & 0x249249249249L;
    }

    private void add(int from, int to, int level) {
        int cell = cells++;
        makeRoom(cell);
        sides[cell] = Math.scalb(side, -level);
        boolean isLeaf = to - from <= LEAF || level == LEVELS;
        first[cell] = from;
        end[cell] = isLeaf ? to : from;
        if (!isLeaf) {
            int shift = INDEX_BITS + AXES * (LEVELS - 1 - level);
            int at = from;
            while (at < to) {
                long octant = keys[at] >>> shift;
                int last = firstAbove(octant, shift, at, to);
                add(at, last, level + 1);
                at = last;
            }
        }
        next[cell] = cells;
        setCentre(cell, from, to);
    }

    /** The first body of a later octant than this one. */
    private int firstAbove(long octant, int shift, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = low + high >>> 1;
            if (keys[middle] >>> shift > octant) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private void setCentre(int cell, int from, int to) {
        double x = 0;
        double y = 0;
        double z = 0;
        double mass = 0;
        for (int i = from * NUMBERS; i < to * NUMBERS; i += NUMBERS) {
            double m = bodies[i + 3];
            x += m * bodies[i];
            y += m * bodies[i + 1];
            z += m * bodies[i + 2];
            mass += m;
        }
        int at = cell * NUMBERS;
        centres[at] = x / mass;
        centres[at + 1] = y / mass;
        centres[at + 2] = z / mass;
        centres[at + 3] = mass;
    }

    private void makeRoom(int cell) {
        if (cell == next.length) {
            int length = 2 * cell;
            centres = Arrays.copyOf(centres, length * NUMBERS);
            sides = Arrays.copyOf(sides, length);
            next = Arrays.copyOf(next, length);
            first = Arrays.copyOf(first, length);
            end = Arrays.copyOf(end, length);
        }
    }

    /**
     * What pulls at a place, by the law of gravity, softened.
     *
     * @param opening a cell counts as one body if its side is less than this part of the distance
     */
    void pull(double[] places, int at, double opening, double softening, double[] result) {
        double x = places[at];
        double y = places[at + 1];
        double z = places[at + 2];
        double pullX = 0;
        double pullY = 0;
        double pullZ = 0;
        int cell = 0;
        while (cell < cells) {
            double[] from = centres;
            int begin = cell * NUMBERS;
            int stop = begin + NUMBERS;
            double dx = from[begin] - x;
            double dy = from[begin + 1] - y;
            double dz = from[begin + 2] - z;
            boolean isLeaf = end[cell] > first[cell];
            if (!isLeaf && sides[cell] * sides[cell] >= opening * opening * (dx * dx + dy * dy + dz * dz)) {
                cell++;
                continue;
            }
            if (isLeaf) {
                from = bodies;
                begin = first[cell] * NUMBERS;
                stop = end[cell] * NUMBERS;
            }
            for (int i = begin; i < stop; i += NUMBERS) {
                dx = from[i] - x;
                dy = from[i + 1] - y;
                dz = from[i + 2] - z;
                double square = dx * dx + dy * dy + dz * dz + softening * softening;
                double factor = from[i + 3] / (square * Math.sqrt(square));
                pullX += factor * dx;
                pullY += factor * dy;
                pullZ += factor * dz;
            }
            cell = next[cell];
        }
        result[0] = pullX;
        result[1] = pullY;
        result[2] = pullZ;
    }

    /** What bodies anywhere in a box need of this tree: cells that are far from all of it, and single bodies. */
    void export(double[] low, double[] high, double opening, BodyList to) {
        int cell = 0;
        while (cell < cells) {
            int at = cell * NUMBERS;
            double square = 0;
            for (int axis = 0; axis < AXES; axis++) {
                double outside = Math.max(low[axis] - centres[at + axis], centres[at + axis] - high[axis]);
                square += outside > 0 ? outside * outside : 0;
            }
            boolean isFar = sides[cell] * sides[cell] < opening * opening * square;
            if (isFar) {
                to.add(centres, at, 1);
            } else if (end[cell] > first[cell]) {
                to.add(bodies, first[cell] * NUMBERS, end[cell] - first[cell]);
            }
            cell = isFar ? next[cell] : cell + 1;
        }
    }
}
