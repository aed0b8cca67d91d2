package org.sluice.bench.kernels;

import java.util.Arrays;
import java.util.Locale;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Reduction;

/**
 * A cluster of stars that fall together, by a tree code as in cosmology. Each rank has the bodies of some part of
 * space. In each step it tells each other rank what that one's bodies need of its tree: far cells as one body, near
 * bodies one by one. Then each has what its bodies feel.
 */
final class NbodyTree implements Kernel {
    /** By class: bodies, or those of each rank if the problem grows with ranks. */
    private static final int[] BODIES = {2_000, 16_000, 64_000, 256_000};

    private static final double TIME_STEP = 1.0 / 256;
    private static final double OPENING = 0.5;
    private static final double SOFTENING = 0.02;
    /** The root mean square of errors that is allowed, as a part of the pull. */
    private static final double NEAR = 0.01;

    private static final int SAMPLES = 64;
    private static final int AXES = 3;
    private static final int NUMBERS = Octree.NUMBERS;

    private final Octree own = new Octree();
    private final Octree felt = new Octree();
    private final BodyList sent = new BodyList();
    private final BodyList known = new BodyList();
    private final double[] pull = new double[AXES];
    private Communicator world;
    private int count;
    private double[] places;
    private double[] speeds;
    /** Lowest and highest places of each rank's bodies. */
    private double[] boxes;

    private int[] sendCounts;
    private int[] sendAt;
    private int[] receiveCounts;
    private int[] receiveAt;
    private double[] received = {};

    @Override
    public Outcome run(Communicator communicator, Problem problem, WarmUp warmUp) {
        world = communicator;
        int all = BODIES[problem.size().ordinal()] * (problem.isWeak() ? world.size() : 1);
        begin(all);
        warmUp.repeat(this::step);
        begin(all);
        world.barrier();
        long start = System.nanoTime();
        for (int i = 0; i < KernelName.STEPS; i++) {
            step();
        }
        double seconds = Outcome.secondsSince(start, world);
        double error = error();
        return new Outcome(
                (double) KernelName.STEPS * all,
                seconds,
                error <= NEAR,
                String.format(Locale.ROOT, "pulls differ from direct sums by %.5f of them, allowed %.5f", error, NEAR));
    }

    private void begin(int all) {
        double[] cluster = StarCluster.make(all);
        // Sorted by place, as a tree has them.
        own.build(cluster, all);
        int from = (int) ((long) all * world.rank() / world.size());
        count = (int) ((long) all * (world.rank() + 1) / world.size()) - from;
        places = own.bodies(from, count);
        speeds = new double[count * AXES];
        boxes = new double[2 * AXES * world.size()];
        sendCounts = new int[world.size()];
        sendAt = new int[world.size()];
        receiveCounts = new int[world.size()];
        receiveAt = new int[world.size()];
    }

    private void step() {
        exchange();
        for (int i = 0; i < count; i++) {
            felt.pull(places, i * NUMBERS, OPENING, SOFTENING, pull);
            for (int axis = 0; axis < AXES; axis++) {
                speeds[i * AXES + axis] += TIME_STEP * pull[axis];
            }
        }
        for (int i = 0; i < count; i++) {
            for (int axis = 0; axis < AXES; axis++) {
                places[i * NUMBERS + axis] += TIME_STEP * speeds[i * AXES + axis];
            }
        }
    }

    /** Afterwards there is a tree of all that the own bodies feel. */
    private void exchange() {
        known.clear();
        known.add(places, 0, count);
        if (world.size() > 1) {
            own.build(places, count);
            world.allGather(ownBox(), boxes);
            sent.clear();
            for (int rank = 0; rank < world.size(); rank++) {
                sendAt[rank] = sent.count() * NUMBERS;
                if (rank != world.rank()) {
                    int at = rank * 2 * AXES;
                    double[] low = Arrays.copyOfRange(boxes, at, at + AXES);
                    double[] high = Arrays.copyOfRange(boxes, at + AXES, at + 2 * AXES);
                    own.export(low, high, OPENING, sent);
                }
                sendCounts[rank] = sent.count() * NUMBERS - sendAt[rank];
            }
            int came = receive();
            known.add(received, 0, came);
        }
        felt.build(known.numbers(), known.count());
    }

    private double[] ownBox() {
        double[] box = new double[2 * AXES];
        Arrays.fill(box, 0, AXES, Double.POSITIVE_INFINITY);
        Arrays.fill(box, AXES, 2 * AXES, Double.NEGATIVE_INFINITY);
        for (int i = 0; i < count; i++) {
            for (int axis = 0; axis < AXES; axis++) {
                double place = places[i * NUMBERS + axis];
                box[axis] = Math.min(box[axis], place);
                box[AXES + axis] = Math.max(box[AXES + axis], place);
            }
        }
        return box;
    }

    /** How many bodies came from all others. */
    private int receive() {
        world.allToAll(sendCounts, receiveCounts);
        int all = 0;
        for (int rank = 0; rank < world.size(); rank++) {
            receiveAt[rank] = all;
            all += receiveCounts[rank];
        }
        if (received.length < all) {
            received = new double[all + all / 2];
        }
        world.allToAllBlocks(
                Data.blocks(sent.numbers(), sendCounts, sendAt), Data.blocks(received, receiveCounts, receiveAt));
        return all / NUMBERS;
    }

    /** At some bodies of each rank: how far the tree's pull is from the sum over all bodies. */
    private double error() {
        exchange();
        int each = Math.min(count, Math.max(1, SAMPLES / world.size()));
        double[] samples = new double[each * NUMBERS];
        double[] trees = new double[each * AXES];
        for (int i = 0; i < each; i++) {
            System.arraycopy(places, (int) ((long) count * i / each) * NUMBERS, samples, i * NUMBERS, NUMBERS);
            felt.pull(samples, i * NUMBERS, OPENING, SOFTENING, pull);
            System.arraycopy(pull, 0, trees, i * AXES, AXES);
        }
        double[] allSamples = new double[samples.length * world.size()];
        world.allGather(samples, allSamples);
        double[] sums = new double[allSamples.length / NUMBERS * AXES];
        for (int i = 0; i < sums.length / AXES; i++) {
            addDirectly(allSamples, i * NUMBERS, sums, i * AXES);
        }
        double[] direct = new double[sums.length];
        world.allReduce(sums, direct, Reduction.SUM);
        double[] squares = new double[1];
        for (int i = 0; i < each; i++) {
            squares[0] += relativeSquare(trees, i * AXES, direct, (world.rank() * each + i) * AXES);
        }
        double[] all = new double[1];
        world.allReduce(squares, all, Reduction.SUM);
        return Math.sqrt(all[0] / (each * world.size()));
    }

    private void addDirectly(double[] samples, int at, double[] sums, int to) {
        for (int i = 0; i < count * NUMBERS; i += NUMBERS) {
            double dx = places[i] - samples[at];
            double dy = places[i + 1] - samples[at + 1];
            double dz = places[i + 2] - samples[at + 2];
            double square = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING;
            double factor = places[i + 3] / (square * Math.sqrt(square));
            sums[to] += factor * dx;
            sums[to + 1] += factor * dy;
            sums[to + 2] += factor * dz;
        }
    }

    private static double relativeSquare(double[] values, int at, double[] right, int rightAt) {
        double off = 0;
        double size = 0;
        for (int axis = 0; axis < AXES; axis++) {
            double difference = values[at + axis] - right[rightAt + axis];
            off += difference * difference;
            size += right[rightAt + axis] * right[rightAt + axis];
        }
        return off / size;
    }
}
