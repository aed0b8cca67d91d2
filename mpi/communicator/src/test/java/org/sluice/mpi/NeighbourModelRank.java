package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.sluice.device.Request;
import org.sluice.mpi.Held.Kind;

/** One rank of a storm of neighbourhood collectives on random topologies, as {@link ModelRank} is of other ones. */
final class NeighbourModelRank {
    private static final int CALLS = 12;
    private static final long KEPT = 55;

    private final Communicator world;
    private final long seed;
    private final Random shared = new Random();
    /** For what the ranks need not have alike. */
    private final Random own;

    private ModelTopology model;
    private TopologyCommunicator communicator;
    private int rank;
    private int round;
    private int call;
    private boolean started;
    /** Of what is started: whether by a persistent request, which runs several times with other contents. */
    private boolean isPersistent;

    private final List<Request> requests = new ArrayList<>();
    private final List<Runnable> checks = new ArrayList<>();

    NeighbourModelRank(Communicator world, long seed) {
        this.world = world;
        this.seed = seed;
        this.own = new Random(seed * 31 + world.rank());
    }

    /** So many topologies, with some calls on each. */
    void run(int rounds) {
        try {
            storm(rounds);
        } catch (RuntimeException e) {
            throw new AssertionError(what(), e);
        }
    }

    private void storm(int rounds) {
        for (round = 0; round < rounds; round++) {
            // Ranks that were left out drew another number of times. Seeds that differ little begin alike: spread them.
            shared.setSeed((seed * 1_000_003 + round) * 0x9E3779B97F4A7C15L);
            model = new ModelTopology(shared, world.size());
            communicator = model.make(world);
            if (communicator == null) {
                assertTrue(world.rank() >= model.sources.length || model.words.startsWith("grid"), what());
                continue;
            }
            rank = communicator.rank();
            if (shared.nextInt(4) == 0) {
                TopologyCommunicator first = communicator;
                communicator = first.duplicate();
                first.free();
            }
            checkNeighbours();
            for (call = 0; call < CALLS; call++) {
                one();
            }
            requests.forEach(Request::waitFor);
            checks.forEach(Runnable::run);
            requests.clear();
            checks.clear();
            communicator.free();
        }
    }

    private String what() {
        return "seed " + seed + ", round " + round + ", call " + call + ", rank " + rank + " of "
                + (model == null ? "none" : model.words);
    }

    private int[] named(int[] ranks) {
        return IntStream.of(ranks)
                .map(each -> each < 0 ? MessageSpace.PROC_NULL : each)
                .toArray();
    }

    private void checkNeighbours() {
        assertEquals(model.sources.length, communicator.size(), what());
        assertArrayEquals(named(model.sources[rank]), communicator.sources(), what());
        assertArrayEquals(named(model.destinations[rank]), communicator.destinations(), what());
        if (communicator instanceof DistributedGraphCommunicator) {
            DistributedGraphCommunicator graph = (DistributedGraphCommunicator) communicator;
            assertEquals(model.sourceWeights != null, graph.isWeighted(), what());
            if (graph.isWeighted()) {
                assertArrayEquals(model.sourceWeights[rank], graph.sourceWeights(), what());
                assertArrayEquals(model.destinationWeights[rank], graph.destinationWeights(), what());
            }
        }
    }

    /** A number that a rank sends in one of its blocks. */
    private long value(int of, int block, int number) {
        long mixed = (seed + 7919L * call + 104_729L * round + 31L * number + 1_299_709L * of + 15_485_863L * block)
                * 0x9E3779B97F4A7C15L;
        return (mixed >>> 40) % 100;
    }

    private int count(int of, int block) {
        return (int) value(of, block, -1) / 3;
    }

    private Kind kind() {
        return Kind.values()[own.nextInt(Kind.values().length)];
    }

    private ElementType type() {
        return ElementType.values()[shared.nextInt(ElementType.values().length)];
    }

    private void one() {
        ElementType type = type();
        started = shared.nextInt(2) == 0;
        isPersistent = started && shared.nextBoolean();
        int items = new int[] {0, 1, 5, 300, 4_000}[shared.nextInt(5)];
        switch (shared.nextInt(5)) {
            case 0:
                allGather(type, items);
                break;
            case 1:
                allGatherBlocks(type);
                break;
            case 2:
                allToAll(type, items);
                break;
            case 3:
                allToAllBlocks(type);
                break;
            default:
                allToAllLayouts();
                break;
        }
    }

    private void expect(Held into, long[] expected, String name) {
        String what = name + ", " + what();
        if (started && !isPersistent) {
            checks.add(() -> into.check(expected, what));
        } else {
            into.check(expected, what);
        }
    }

    /** What comes from a neighbour that is nobody is what was there. */
    private long expected(int block, boolean isGather, int number) {
        int source = model.sources[rank][block];
        return source < 0 ? KEPT : value(source, isGather ? 0 : model.sentAs(rank, block), number);
    }

    private static Held filled(Held held) {
        for (int i = 0; i < held.elements(); i++) {
            held.put(i, KEPT);
        }
        return held;
    }

    /** The call in the form that was drawn; a persistent one has other contents in its first run. */
    private void make(
            Held given,
            Held into,
            BiConsumer<Object, Object> waits,
            BiFunction<Object, Object, Request> starts,
            BiFunction<Object, Object, PersistentRequest> init) {
        Object from = given.given();
        Object to = into.given();
        if (isPersistent) {
            PersistentRequest request = init.apply(from, to);
            for (int run = 0; run < 2; run++) {
                for (int i = 0; i < given.elements(); i++) {
                    given.put(i, 1 - given.get(i));
                }
                request.start();
                request.waitFor();
            }
        } else if (started) {
            requests.add(starts.apply(from, to));
        } else {
            waits.accept(from, to);
        }
    }

    private void uniform(ElementType type, int items, Held given, boolean isGather) {
        int inDegree = model.sources[rank].length;
        Held into = filled(Held.of(kind(), type, items * inDegree, 1));
        long[] expected = new long[items * inDegree];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = expected(i / items, isGather, i % items);
        }
        if (isGather) {
            make(
                    given,
                    into,
                    communicator::neighbourAllGather,
                    communicator::ineighbourAllGather,
                    communicator::neighbourAllGatherInit);
        } else {
            make(
                    given,
                    into,
                    communicator::neighbourAllToAll,
                    communicator::ineighbourAllToAll,
                    communicator::neighbourAllToAllInit);
        }
        expect(into, expected, isGather ? "allGather" : "allToAll");
    }

    private Held ofOwn(ElementType type, int items) {
        Held given = Held.of(kind(), type, items, 1);
        for (int i = 0; i < items; i++) {
            given.put(i, value(rank, 0, i));
        }
        return given;
    }

    private void allGather(ElementType type, int items) {
        uniform(type, items, ofOwn(type, items), true);
    }

    private void allToAll(ElementType type, int items) {
        Held given = Held.of(kind(), type, items * model.destinations[rank].length, 1);
        for (int i = 0; i < given.elements(); i++) {
            given.put(i, value(rank, i / items, i % items));
        }
        uniform(type, items, given, false);
    }

    private int[] counts(boolean isGather) {
        int[] counts = new int[model.sources[rank].length];
        for (int i = 0; i < counts.length; i++) {
            int source = model.sources[rank][i];
            counts[i] = source < 0 ? own.nextInt(20) : count(source, isGather ? 0 : model.sentAs(rank, i));
        }
        return counts;
    }

    private long[] expectedOf(int[] counts, boolean isGather) {
        long[] expected = new long[Arrays.stream(counts).sum()];
        int at = 0;
        for (int block = 0; block < counts.length; block++) {
            for (int i = 0; i < counts[block]; i++) {
                expected[at++] = expected(block, isGather, i);
            }
        }
        return expected;
    }

    private void allGatherBlocks(ElementType type) {
        int[] in = counts(true);
        Held into = filled(Held.blocks(own, own.nextBoolean(), type, in));
        make(
                ofOwn(type, count(rank, 0)),
                into,
                communicator::neighbourAllGatherBlocks,
                communicator::ineighbourAllGatherBlocks,
                communicator::neighbourAllGatherBlocksInit);
        expect(into, expectedOf(in, true), "allGather of blocks");
    }

    private int[] sentCounts() {
        int[] out = new int[model.destinations[rank].length];
        for (int i = 0; i < out.length; i++) {
            out[i] = count(rank, i);
        }
        return out;
    }

    private void allToAllBlocks(ElementType type) {
        int[] in = counts(false);
        int[] out = sentCounts();
        Held into = filled(Held.blocks(own, own.nextBoolean(), type, in));
        Held given = Held.blocks(own, own.nextBoolean(), type, out);
        int number = 0;
        for (int block = 0; block < out.length; block++) {
            for (int i = 0; i < out[block]; i++) {
                given.put(number++, value(rank, block, i));
            }
        }
        make(
                given,
                into,
                communicator::neighbourAllToAllBlocks,
                communicator::ineighbourAllToAllBlocks,
                communicator::neighbourAllToAllBlocksInit);
        expect(into, expectedOf(in, false), "allToAll of blocks");
    }

    /** Blocks of longs, one after another, each with elements that lie together or apart. */
    private final class Apart {
        final int[] strides;
        final int[] begins;
        final long[] longs;
        final Data data;

        Apart(int[] counts) {
            strides = new int[counts.length];
            begins = new int[counts.length];
            int[] bytes = new int[counts.length];
            Layout[] layouts = new Layout[counts.length];
            int at = 0;
            for (int i = 0; i < counts.length; i++) {
                strides[i] = 1 + own.nextInt(3);
                begins[i] = at;
                bytes[i] = at * Long.BYTES;
                layouts[i] = strides[i] == 1 ? Layout.LONG : Layout.LONG.resized(0, (long) strides[i] * Long.BYTES);
                at += counts[i] * strides[i];
            }
            longs = new long[at];
            Arrays.fill(longs, KEPT);
            data = Data.blocks(longs, 0, counts, bytes, layouts);
        }
    }

    private void allToAllLayouts() {
        int[] in = counts(false);
        int[] out = sentCounts();
        Apart given = new Apart(out);
        for (int block = 0; block < out.length; block++) {
            for (int i = 0; i < out[block]; i++) {
                given.longs[given.begins[block] + i * given.strides[block]] = value(rank, block, i);
            }
        }
        Apart into = new Apart(in);
        long[] expected = into.longs.clone();
        for (int block = 0; block < in.length; block++) {
            for (int i = 0; i < in[block]; i++) {
                expected[into.begins[block] + i * into.strides[block]] = expected(block, false, i);
            }
        }
        String what = "allToAll of layouts, " + what();
        if (started && !isPersistent) {
            requests.add(communicator.ineighbourAllToAllBlocks(given.data, into.data));
            checks.add(() -> assertArrayEquals(expected, into.longs, what));
        } else {
            communicator.neighbourAllToAllBlocks(given.data, into.data);
            assertArrayEquals(expected, into.longs, what);
        }
    }
}
