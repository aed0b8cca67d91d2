package org.sluice.bench.kernels;

import java.util.Arrays;
import org.sluice.mpi.Communicator;

/**
 * MG's right side: each point draws a random number; those with the largest have a charge of 1, those with the smallest
 * of -1, and all others none.
 *
 * <p><i>Thread</i>: one of each rank.
 */
final class Charges {
    private final int count;
    /** The largest so far, ascending, and where each was drawn. */
    private final double[] largest;

    private final double[] place;

    private Charges(int count) {
        this.count = count;
        largest = new double[count];
        place = new double[count];
        Arrays.fill(largest, Double.NEGATIVE_INFINITY);
    }

    /** All ranks call this together. */
    static void put(Communicator world, Grid grid, int count) {
        Charges positive = new Charges(count);
        Charges negative = new Charges(count);
        long side = grid.side();
        long first = grid.firstLayer() * side * side;
        NasRandom random = new NasRandom(NasRandom.SEED).skip(first);
        for (long i = first; i < first + grid.layers() * side * side; i++) {
            double drawn = random.next();
            positive.add(drawn, i);
            negative.add(-drawn, i);
        }
        grid.clear();
        positive.write(world, grid, 1);
        negative.write(world, grid, -1);
        grid.fillSides();
    }

    private void add(double drawn, double where) {
        if (drawn > largest[0]) {
            int at = 1;
            while (at < count && largest[at] < drawn) {
                largest[at - 1] = largest[at];
                place[at - 1] = place[at];
                at++;
            }
            largest[at - 1] = drawn;
            place[at - 1] = where;
        }
    }

    private void write(Communicator world, Grid grid, double charge) {
        double[] all = new double[2 * count * world.size()];
        double[] own = Arrays.copyOf(largest, 2 * count);
        System.arraycopy(place, 0, own, count, count);
        world.allGather(own, all);
        Charges merged = new Charges(count);
        for (int block = 0; block < all.length; block += 2 * count) {
            for (int i = block; i < block + count; i++) {
                merged.add(all[i], all[i + count]);
            }
        }
        int side = grid.side();
        for (double where : merged.place) {
            int row = (int) where / side;
            int layer = row / side - grid.firstLayer();
            if (layer >= 0 && layer < grid.layers()) {
                grid.row(layer + 1, row % side + 1)[(int) where % side + 1] = charge;
            }
        }
    }
}
