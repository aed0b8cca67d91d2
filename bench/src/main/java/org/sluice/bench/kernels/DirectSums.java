package org.sluice.bench.kernels;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Reduction;

/**
 * The same bodies without patches: in each step every pair within the cut-off is summed, and all ranks know all bodies.
 * Pairs are looked for along x, in the order of places, and each rank looks from some of the bodies.
 */
final class DirectSums {
    private final Communicator world;
    private final PatchGrid grid;
    private final double[] places;
    private final double[] speeds;
    private final double[] own;
    private final double[] pushes;
    private final int count;

    /** @param bodies are changed */
    DirectSums(Communicator world, PatchGrid grid, FreeBodies bodies) {
        this.world = world;
        this.grid = grid;
        places = bodies.places();
        speeds = bodies.speeds();
        count = bodies.count();
        own = new double[places.length];
        pushes = new double[places.length];
    }

    /** All ranks call this together. */
    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
    }

    private void step() {
        Arrays.fill(own, 0);
        int[] order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingDouble(body -> places[body * Patch.AXES]))
                .mapToInt(Integer::intValue)
                .toArray();
        int from = (int) ((long) count * world.rank() / world.size());
        int to = (int) ((long) count * (world.rank() + 1) / world.size());
        for (int i = from; i < to; i++) {
            pairsFrom(order, i);
        }
        world.allReduce(own, pushes, Reduction.SUM);
        for (int i = 0; i < places.length; i++) {
            speeds[i] += Patch.TIME_STEP * pushes[i];
            places[i] = grid.within(places[i] + Patch.TIME_STEP * speeds[i], i % Patch.AXES);
        }
    }

    /** With those behind it, and beyond the end those at the beginning. */
    private void pairsFrom(int[] order, int first) {
        int one = order[first] * Patch.AXES;
        for (int i = first + 1; i < first + count; i++) {
            int other = order[i % count] * Patch.AXES;
            double dx = places[other] - places[one] + (i < count ? 0 : grid.length(0));
            if (dx >= PairForce.CUT_OFF) {
                return;
            }
            double dy = grid.way(places[other + 1] - places[one + 1], 1);
            double dz = grid.way(places[other + 2] - places[one + 2], 2);
            double square = dx * dx + dy * dy + dz * dz;
            if (square < PairForce.CUT_OFF * PairForce.CUT_OFF) {
                double factor = PairForce.factor(square);
                push(one, other, 0, factor * dx);
                push(one, other, 1, factor * dy);
                push(one, other, 2, factor * dz);
            }
        }
    }

    private void push(int one, int other, int axis, double by) {
        own[one + axis] -= by;
        own[other + axis] += by;
    }

    /** How far such a place is from where this body is, the shortest way, along an axis. */
    double distance(int body, int axis, double place) {
        return Math.abs(grid.way(place - places[body * Patch.AXES + axis], axis));
    }
}
