package org.sluice.bench.kernels;

import java.util.Locale;
import org.sluice.bench.plan.Api;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Reduction;

/**
 * Bodies that feel those near them, as in molecular dynamics. Space is cut into patches, which are shared among ranks;
 * in each step every patch tells its 26 neighbours where its bodies are, and those that leave it go along. It moves as
 * soon as it has heard of all 26.
 */
final class NbodyPatches implements Kernel {
    /** By class, or for each rank if the problem grows with ranks: from W on as many as known proteins have atoms. */
    private static final int[] BODIES = {1_500, 5_570, 23_558, 92_224};
    /** By class: patches in a row. */
    private static final int[] SIDES = {3, 4, 5, 8};

    /** Patches begin with as many bodies as chance wants, and some have more later. */
    private static final int ROOM_TIMES = 2;

    private static final int ROOM_MORE = 64;
    private static final int WARM_UP_STEPS = 2;
    /**
     * How far a body may be from where direct sums have it. They add the same numbers in another order, and places are
     * rounded from a patch's corner or from that of space: that shifts a body by some 1e-15 a step. A pair that is
     * missed in one step shifts two bodies by more than this, unless all but 0.2 % of the cut-off lies between them.
     */
    private static final double NEAR = 1e-11;

    private Communicator world;
    private PatchGrid grid;
    private OwnPatches own;
    private PatchSteps steps;

    @Override
    public Outcome run(Communicator communicator, Problem problem, WarmUp warmUp) {
        world = communicator;
        int times = problem.isWeak() ? world.size() : 1;
        int size = problem.size().ordinal();
        int all = BODIES[size] * times;
        grid = new PatchGrid(SIDES[size], SIDES[size] * times, world.size());
        begin(all, problem.api());
        warmUp.repeat(() -> steps.run(WARM_UP_STEPS));
        steps.close();
        begin(all, problem.api());
        world.barrier();
        long start = System.nanoTime();
        steps.run(KernelName.STEPS);
        double seconds = Outcome.secondsSince(start, world);
        steps.close();
        double off = off(all);
        double drift = drift();
        return new Outcome(
                (double) KernelName.STEPS * all,
                seconds,
                off <= NEAR && drift <= NEAR,
                String.format(
                        Locale.ROOT,
                        "bodies are %.3g from where direct sums have them, all together gained %.3g of their"
                                + " momentum; allowed %.3g",
                        off,
                        drift,
                        NEAR));
    }

    private void begin(int all, Api api) {
        own = new OwnPatches(grid, world.rank(), ROOM_TIMES * all / grid.count() + ROOM_MORE);
        FreeBodies bodies = FreeBodies.make(grid, all);
        double[] places = bodies.places();
        double[] place = new double[Patch.AXES];
        for (int body = 0; body < all; body++) {
            int at = body * Patch.AXES;
            int patch = grid.at(places[at], places[at + 1], places[at + 2]);
            if (own.isOwn(patch)) {
                for (int axis = 0; axis < Patch.AXES; axis++) {
                    place[axis] = places[at + axis] - grid.place(patch, axis) * PatchGrid.LENGTH;
                }
                own.get(own.index(patch)).add(body, place, bodies.speeds(), at);
            }
        }
        steps = api == Api.REQUEST ? new PostedPatches(world, own) : new DrivenPatches(world, own);
    }

    /** The furthest that a body is from where direct sums have it; infinitely far if one is lost or twice there. */
    private double off(int all) {
        DirectSums direct = new DirectSums(world, grid, FreeBodies.make(grid, all));
        direct.run(KernelName.STEPS);
        int[] here = new int[all];
        double[] most = new double[1];
        for (int patch = 0; patch < own.count(); patch++) {
            Patch bodies = own.get(patch);
            for (int body = 0; body < bodies.count(); body++) {
                here[bodies.number(body)]++;
                for (int axis = 0; axis < Patch.AXES; axis++) {
                    double place = bodies.place(body, axis) + grid.place(own.number(patch), axis) * PatchGrid.LENGTH;
                    most[0] = Math.max(most[0], direct.distance(bodies.number(body), axis, place));
                }
            }
        }
        int[] everywhere = new int[all];
        world.allReduce(here, everywhere, Reduction.SUM);
        for (int count : everywhere) {
            if (count != 1) {
                return Double.POSITIVE_INFINITY;
            }
        }
        double[] mostOfAll = new double[1];
        world.allReduce(most, mostOfAll, Reduction.MAX);
        return mostOfAll[0];
    }

    /** The sum of all speeds, which was none, as a part of their amounts. */
    private double drift() {
        double[] sums = new double[2 * Patch.AXES];
        for (int patch = 0; patch < own.count(); patch++) {
            Patch bodies = own.get(patch);
            for (int body = 0; body < bodies.count(); body++) {
                for (int axis = 0; axis < Patch.AXES; axis++) {
                    sums[axis] += bodies.speed(body, axis);
                    sums[Patch.AXES + axis] += Math.abs(bodies.speed(body, axis));
                }
            }
        }
        double[] all = new double[sums.length];
        world.allReduce(sums, all, Reduction.SUM);
        double most = 0;
        for (int axis = 0; axis < Patch.AXES; axis++) {
            most = Math.max(most, Math.abs(all[axis]) / all[Patch.AXES + axis]);
        }
        return most;
    }
}
