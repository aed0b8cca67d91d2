package org.sluice.bench.kernels;

import java.util.Arrays;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Reduction;

/**
 * IS: the place that each of many integers has among all, ten times. Ranks agree on which values go to whom, in
 * buckets, so that all get about as many, send them there, and count.
 */
final class IntegerSort implements Kernel {
    private static final int ITERATIONS = 10;
    private static final int LOG_BUCKETS = 9;
    private static final int BUCKETS = 1 << LOG_BUCKETS;
    private static final int TESTS = 5;
    /** A key is the sum of so many random numbers, times the largest key by as many. */
    private static final int NUMBERS_A_KEY = 4;
    /** By class. */
    private static final int[] LOG_KEYS = {16, 20, 23, 25};
    /** By class: the logarithm of the largest key. */
    private static final int[] LOG_LARGEST = {11, 16, 19, 21};
    /** By class: which keys are looked at after each iteration. */
    private static final int[][] TEST_INDEX = {
        {48427, 17148, 23627, 62548, 4431},
        {357773, 934767, 875723, 898999, 404505},
        {2112377, 662041, 5336171, 3642833, 4250760},
        {41869, 812306, 5102857, 18232239, 26860214}
    };
    /** By class: their places, to which {@link #PLUS} and {@link #MINUS} are added. */
    private static final int[][] TEST_PLACE = {
        {0, 18, 346, 64917, 65463},
        {1249, 11698, 1039987, 1043896, 1048018},
        {104, 17523, 123928, 8288932, 8388264},
        {33422937, 10244, 59149, 33135281, 99}
    };
    /** By class: whose place grows with the iterations, the others' shrinks. */
    private static final boolean[][] GROWS = {
        {true, true, true, false, false},
        {true, true, false, false, false},
        {true, true, true, false, false},
        {false, true, true, false, true}
    };
    /** By class: what is added to the number of the iteration if a place grows. */
    private static final int[] PLUS = {0, -2, -1, 0};
    /** By class: and if it shrinks. */
    private static final int[] MINUS = {0, 0, -1, 0};

    private Communicator world;
    private int size;
    private int largest;
    private int shift;
    /** Of this rank, from {@link #first} on among all. */
    private int[] keys;

    private int first;
    private int[] sorted;
    /** Keys of each bucket, then the tested keys. */
    private final int[] ownCounts = new int[BUCKETS + TESTS];

    private final int[] allCounts = new int[BUCKETS + TESTS];
    private final int[] bucketEnd = new int[BUCKETS];
    private int[] sendCounts;
    private int[] sendAt;
    private int[] receiveCounts;
    private int[] receiveAt;
    private int[] received = {};
    private int receivedCount;
    /** Values that came are from here up to before there, and so many smaller ones went to other ranks. */
    private int lowest;

    private int end;
    private int smaller;
    /** For each value that came: how many are smaller or the same. */
    private int[] upTo = {};

    private int passed;

    @Override
    public Outcome run(Communicator communicator, Problem problem, WarmUp warmUp) {
        world = communicator;
        size = problem.size().ordinal();
        prepare();
        warmUp.repeat(() -> rank(1));
        passed = 0;
        long start = System.nanoTime();
        for (int iteration = 1; iteration <= ITERATIONS; iteration++) {
            rank(iteration);
        }
        double seconds = Outcome.secondsSince(start, world);
        int[] passedAll = new int[1];
        world.allReduce(new int[] {passed}, passedAll, Reduction.SUM);
        boolean inOrder = isInOrder();
        return new Outcome(
                (double) ITERATIONS * total(),
                seconds,
                inOrder && passedAll[0] == ITERATIONS * TESTS,
                passedAll[0] + " of " + ITERATIONS * TESTS + " places are the official ones, and the keys are "
                        + (inOrder ? "in order" : "not in order"));
    }

    private int total() {
        return 1 << LOG_KEYS[size];
    }

    private void prepare() {
        int ranks = world.size();
        largest = 1 << LOG_LARGEST[size];
        shift = LOG_LARGEST[size] - LOG_BUCKETS;
        first = (int) ((long) total() * world.rank() / ranks);
        keys = new int[(int) ((long) total() * (world.rank() + 1) / ranks) - first];
        sorted = new int[keys.length];
        sendCounts = new int[ranks];
        sendAt = new int[ranks];
        receiveCounts = new int[ranks];
        receiveAt = new int[ranks];
        NasRandom random = new NasRandom(NasRandom.SEED).skip((long) NUMBERS_A_KEY * first);
        for (int i = 0; i < keys.length; i++) {
            double sum = random.next() + random.next() + random.next() + random.next();
            keys[i] = (int) (largest / NUMBERS_A_KEY * sum);
        }
    }

    private void rank(int iteration) {
        set(iteration, iteration);
        set(iteration + ITERATIONS, largest - iteration);
        countBuckets();
        sortByBucket();
        share();
        exchange();
        count();
        passed += test(iteration);
    }

    /** One of all keys, if it is here. */
    private void set(int index, int key) {
        if (index >= first && index < first + keys.length) {
            keys[index - first] = key;
        }
    }

    private void countBuckets() {
        Arrays.fill(ownCounts, 0);
        for (int key : keys) {
            ownCounts[key >> shift]++;
        }
        for (int i = 0; i < TESTS; i++) {
            int index = TEST_INDEX[size][i] - first;
            if (index >= 0 && index < keys.length) {
                ownCounts[BUCKETS + i] = keys[index];
            }
        }
        world.allReduce(ownCounts, allCounts, Reduction.SUM);
    }

    private void sortByBucket() {
        int at = 0;
        for (int i = 0; i < BUCKETS; i++) {
            bucketEnd[i] = at;
            at += ownCounts[i];
        }
        for (int key : keys) {
            sorted[bucketEnd[key >> shift]++] = key;
        }
    }

    /** A bucket goes to the rank to which its first key would go if all had as many. */
    private void share() {
        Arrays.fill(sendCounts, 0);
        lowest = 0;
        end = 0;
        smaller = 0;
        boolean isOwn = false;
        long before = 0;
        for (int i = 0; i < BUCKETS; i++) {
            int owner = (int) Math.min(world.size() - 1, before * world.size() / total());
            sendCounts[owner] += ownCounts[i];
            if (owner == world.rank()) {
                if (!isOwn) {
                    lowest = i << shift;
                    smaller = (int) before;
                    isOwn = true;
                }
                end = i + 1 << shift;
            }
            before += allCounts[i];
        }
    }

    private void exchange() {
        world.allToAll(sendCounts, receiveCounts);
        int out = 0;
        receivedCount = 0;
        for (int i = 0; i < sendCounts.length; i++) {
            sendAt[i] = out;
            out += sendCounts[i];
            receiveAt[i] = receivedCount;
            receivedCount += receiveCounts[i];
        }
        if (received.length < receivedCount) {
            received = new int[receivedCount];
        }
        world.allToAllBlocks(Data.blocks(sorted, sendCounts, sendAt), Data.blocks(received, receiveCounts, receiveAt));
    }

    private void count() {
        if (upTo.length < end - lowest) {
            upTo = new int[end - lowest];
        }
        Arrays.fill(upTo, 0);
        for (int i = 0; i < receivedCount; i++) {
            upTo[received[i] - lowest]++;
        }
        for (int i = 1; i < end - lowest; i++) {
            upTo[i] += upTo[i - 1];
        }
    }

    /** How many of the tested keys that came here have their official place. */
    private int test(int iteration) {
        int good = 0;
        for (int i = 0; i < TESTS; i++) {
            int key = allCounts[BUCKETS + i];
            if (key >= lowest && key < end) {
                int place = smaller + (key == lowest ? 0 : upTo[key - lowest - 1]);
                int change = GROWS[size][i] ? iteration + PLUS[size] : -(iteration + MINUS[size]);
                good += place == TEST_PLACE[size][i] + change ? 1 : 0;
            }
        }
        return good;
    }

    /** Puts the keys at their places, and looks whether they rise, also from rank to rank. */
    private boolean isInOrder() {
        int[] placed = new int[receivedCount];
        for (int i = 0; i < receivedCount; i++) {
            placed[--upTo[received[i] - lowest]] = received[i];
        }
        int rising = 1;
        for (int i = 1; i < receivedCount; i++) {
            if (placed[i - 1] > placed[i]) {
                rising = 0;
            }
        }
        int[] own = {
            rising,
            receivedCount,
            receivedCount == 0 ? 0 : placed[0],
            receivedCount == 0 ? 0 : placed[receivedCount - 1]
        };
        int[] all = new int[own.length * world.size()];
        world.allGather(own, all);
        int count = 0;
        int last = 0;
        for (int i = 0; i < all.length; i += own.length) {
            if (all[i] == 0 || all[i + 1] > 0 && all[i + 2] < last) {
                return false;
            }
            count += all[i + 1];
            last = all[i + 1] > 0 ? all[i + 3] : last;
        }
        return count == total();
    }
}
