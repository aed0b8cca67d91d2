package org.sluice.mpi.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Which algorithm does a collective, by what it depends on: a table, of which the first row that fits counts. Rows that
 * an option gives stand before the others. All ranks have the same, as ranks with other options don't open a job.
 *
 * <p><i>Thread</i>: any.
 */
public final class Choice {
    /** In memory that all ranks share: {@code CellCollectives}. */
    public static final String CELLS = "cells";
    /** What is long, as either cells or messages, by trial: {@code LongBlocks}. */
    public static final String FASTER = "faster";
    /** In the arrays of ranks that are threads of one JVM: {@code ArrayCollectives}. */
    public static final String ARRAYS = "arrays";
    /** Ranks that are near first: {@code Tiers}. */
    public static final String TIERS = "tiers";

    private static final long ANY = Long.MAX_VALUE;
    private static final int ALL = Integer.MAX_VALUE;
    private static final int PAIR = 2;
    /** So many, that a root is as fast alone as if others handed on what it sends. */
    private static final int FEW = 4;
    /** What fits beside the word that announces it. */
    private static final long LINE = 48;

    private static final long CELL = 16 << 10;
    /** Of three ranks and more: what they show at once must stay in their caches. */
    private static final long CELLS_OF_A_RANK = 4 * CELL;
    /**
     * Of two ranks, of which it may be faster to copy it in and out of many cells than to have it copied by the system.
     */
    private static final long IN_MANY_CELLS = 4 << 20;
    /** Threads copy less for themselves than they wait for each other. */
    private static final long SHORT = 1 << 10;

    /** What goes between leaders of nodes at once, while those that are near have what was before it. */
    private static final long SEGMENT = 512 << 10;
    /** Of it for each leader: blocks of a ring that are shorter cost more for their rounds than for their bytes. */
    private static final long SEGMENT_OF_LEADER = 64 << 10;
    /** Where the cores of one node do all of it: less gains nothing, and more is no longer in the caches. */
    private static final long SEGMENT_OF_CORES = 1 << 20;

    /** All that there is beside cells, arrays and tiers, which are no schedules. */
    private static final Known[] KNOWN = {
        new Known(Collective.BARRIER, "dissemination", new DisseminationBarrier()),
        new Known(Collective.BROADCAST, "linear", new LinearBroadcast()),
        new Known(Collective.BROADCAST, "binomial", new BinomialBroadcast()),
        new Known(Collective.BROADCAST, "scatter-allgather", new ScatterAllGatherBroadcast()),
        new Known(Collective.GATHER, "linear", new LinearGather()),
        new Known(Collective.GATHER, "binomial", new BinomialGather()),
        new Known(Collective.GATHER_BLOCKS, "linear", new LinearGather()),
        new Known(Collective.SCATTER, "linear", new LinearScatter()),
        new Known(Collective.SCATTER, "binomial", new BinomialScatter()),
        new Known(Collective.SCATTER_BLOCKS, "linear", new LinearScatter()),
        new Known(Collective.ALL_GATHER, "recursive-doubling", new RecursiveDoublingAllGather()),
        new Known(Collective.ALL_GATHER, "bruck", new BruckAllGather()),
        new Known(Collective.ALL_GATHER, "ring", new RingAllGather()),
        new Known(Collective.ALL_GATHER_BLOCKS, "ring", new RingAllGather()),
        new Known(Collective.ALL_TO_ALL, "bruck", new BruckAllToAll()),
        new Known(Collective.ALL_TO_ALL, "linear", new LinearAllToAll()),
        new Known(Collective.ALL_TO_ALL, "pairwise", new PairwiseAllToAll()),
        new Known(Collective.ALL_TO_ALL_BLOCKS, "pairwise", new PairwiseAllToAll()),
        new Known(Collective.ALL_TO_ALL_BLOCKS, "linear", new LinearAllToAll()),
        new Known(Collective.REDUCE, "binomial", new BinomialReduce()),
        new Known(Collective.REDUCE, "ring", new RingReduce()),
        new Known(Collective.ALL_REDUCE, "recursive-doubling", new RecursiveDoublingAllReduce()),
        new Known(Collective.ALL_REDUCE, "ring", new RingAllReduce()),
        new Known(Collective.AGREEMENT, "recursive-doubling", new RecursiveDoublingAllReduce()),
        new Known(Collective.REDUCE_SCATTER, "pairwise", new PairwiseReduceScatter()),
        new Known(Collective.REDUCE_SCATTER_BLOCK, "pairwise", new PairwiseReduceScatter()),
        new Known(Collective.SCAN, "recursive-doubling", new RecursiveDoublingScan(false)),
        new Known(Collective.EXCLUSIVE_SCAN, "recursive-doubling", new RecursiveDoublingScan(true)),
        new Known(Collective.NEIGHBOUR_ALL_GATHER, "neighbours", new NeighbourExchange()),
        new Known(Collective.NEIGHBOUR_ALL_GATHER_BLOCKS, "neighbours", new NeighbourExchange()),
        new Known(Collective.NEIGHBOUR_ALL_TO_ALL, "neighbours", new NeighbourExchange()),
        new Known(Collective.NEIGHBOUR_ALL_TO_ALL_BLOCKS, "neighbours", new NeighbourExchange()),
        new Known(Collective.FINISH, "dissemination", new DisseminationBarrier()),
    };

    /** What two ranks send each other goes as a message if it doesn't fit into a line: measured to be faster. */
    private static final Row[] TABLE = {
        row(Collective.BARRIER, TIERS, ALL, ANY),
        row(Collective.BARRIER, CELLS, ALL, ANY),
        row(Collective.BARRIER, "dissemination", ALL, ANY),
        row(Collective.BROADCAST, TIERS, ALL, ANY),
        row(Collective.BROADCAST, CELLS, PAIR, LINE),
        row(Collective.BROADCAST, "binomial", PAIR, ANY),
        row(Collective.BROADCAST, CELLS, ALL, SHORT),
        row(Collective.BROADCAST, ARRAYS, ALL, ANY),
        row(Collective.BROADCAST, CELLS, FEW, 2 * CELL),
        inMemory(Collective.BROADCAST, "linear", FEW, 512 << 10),
        row(Collective.BROADCAST, CELLS, ALL, 1 << 20),
        row(Collective.BROADCAST, "binomial", 7, ANY),
        row(Collective.BROADCAST, "binomial", ALL, 64 << 10),
        row(Collective.BROADCAST, "scatter-allgather", 32, ANY),
        row(Collective.BROADCAST, "binomial", ALL, ANY),
        row(Collective.GATHER, "linear", ALL, ANY),
        row(Collective.GATHER_BLOCKS, "linear", ALL, ANY),
        row(Collective.SCATTER, "linear", ALL, ANY),
        row(Collective.SCATTER_BLOCKS, "linear", ALL, ANY),
        row(Collective.ALL_GATHER, CELLS, ALL, SHORT),
        row(Collective.ALL_GATHER, ARRAYS, ALL, ANY),
        row(Collective.ALL_GATHER, CELLS, ALL, CELL),
        row(Collective.ALL_GATHER, "recursive-doubling", ALL, 8_192),
        row(Collective.ALL_GATHER, "bruck", ALL, 8_192),
        row(Collective.ALL_GATHER, FASTER, PAIR, IN_MANY_CELLS),
        row(Collective.ALL_GATHER, "ring", PAIR, ANY),
        row(Collective.ALL_GATHER, CELLS, ALL, CELLS_OF_A_RANK),
        row(Collective.ALL_GATHER, "ring", ALL, ANY),
        row(Collective.ALL_GATHER_BLOCKS, "ring", ALL, ANY),
        row(Collective.ALL_TO_ALL, CELLS, PAIR, LINE / PAIR),
        row(Collective.ALL_TO_ALL, ARRAYS, PAIR, ANY),
        row(Collective.ALL_TO_ALL, FASTER, PAIR, IN_MANY_CELLS),
        row(Collective.ALL_TO_ALL, "pairwise", PAIR, ANY),
        row(Collective.ALL_TO_ALL, CELLS, ALL, SHORT),
        row(Collective.ALL_TO_ALL, ARRAYS, ALL, ANY),
        row(Collective.ALL_TO_ALL, CELLS, ALL, CELL),
        row(Collective.ALL_TO_ALL, "linear", 7, ANY),
        row(Collective.ALL_TO_ALL, "bruck", ALL, 256),
        row(Collective.ALL_TO_ALL, "linear", 16, ANY),
        row(Collective.ALL_TO_ALL, "pairwise", ALL, ANY),
        row(Collective.ALL_TO_ALL_BLOCKS, "linear", 16, ANY),
        row(Collective.ALL_TO_ALL_BLOCKS, "pairwise", ALL, ANY),
        row(Collective.REDUCE, CELLS, PAIR, SHORT),
        row(Collective.REDUCE, ARRAYS, PAIR, ANY),
        row(Collective.REDUCE, CELLS, PAIR, 2 * SHORT),
        row(Collective.REDUCE, "binomial", PAIR, ANY),
        row(Collective.REDUCE, CELLS, ALL, SHORT),
        row(Collective.REDUCE, ARRAYS, ALL, ANY),
        row(Collective.REDUCE, CELLS, ALL, CELL),
        row(Collective.REDUCE, "binomial", ALL, ANY),
        row(Collective.ALL_REDUCE, TIERS, ALL, ANY),
        row(Collective.ALL_REDUCE, CELLS, ALL, SHORT),
        row(Collective.ALL_REDUCE, ARRAYS, ALL, ANY),
        row(Collective.ALL_REDUCE, CELLS, ALL, CELL),
        row(Collective.ALL_REDUCE, "recursive-doubling", ALL, 16_384),
        row(Collective.ALL_REDUCE, "ring", ALL, ANY),
        row(Collective.ALL_REDUCE, "recursive-doubling", ALL, ANY),
        row(Collective.AGREEMENT, "recursive-doubling", ALL, ANY),
        row(Collective.REDUCE_SCATTER, "pairwise", ALL, ANY),
        row(Collective.REDUCE_SCATTER_BLOCK, CELLS, ALL, SHORT),
        row(Collective.REDUCE_SCATTER_BLOCK, ARRAYS, ALL, ANY),
        row(Collective.REDUCE_SCATTER_BLOCK, CELLS, ALL, CELL),
        row(Collective.REDUCE_SCATTER_BLOCK, "pairwise", ALL, ANY),
        row(Collective.SCAN, CELLS, ALL, CELL),
        row(Collective.SCAN, "recursive-doubling", ALL, ANY),
        row(Collective.EXCLUSIVE_SCAN, CELLS, ALL, CELL),
        row(Collective.EXCLUSIVE_SCAN, "recursive-doubling", ALL, ANY),
        row(Collective.NEIGHBOUR_ALL_GATHER, "neighbours", ALL, ANY),
        row(Collective.NEIGHBOUR_ALL_GATHER_BLOCKS, "neighbours", ALL, ANY),
        row(Collective.NEIGHBOUR_ALL_TO_ALL, "neighbours", ALL, ANY),
        row(Collective.NEIGHBOUR_ALL_TO_ALL_BLOCKS, "neighbours", ALL, ANY),
        row(Collective.FINISH, "dissemination", ALL, ANY),
    };

    private static final Map<Option, List<Collective>> OPTIONS = Map.of(
            Option.MPI_ALGORITHM_BARRIER, List.of(Collective.BARRIER),
            Option.MPI_ALGORITHM_BROADCAST, List.of(Collective.BROADCAST),
            Option.MPI_ALGORITHM_GATHER, List.of(Collective.GATHER, Collective.GATHER_BLOCKS),
            Option.MPI_ALGORITHM_SCATTER, List.of(Collective.SCATTER, Collective.SCATTER_BLOCKS),
            Option.MPI_ALGORITHM_ALLGATHER, List.of(Collective.ALL_GATHER, Collective.ALL_GATHER_BLOCKS),
            Option.MPI_ALGORITHM_ALLTOALL, List.of(Collective.ALL_TO_ALL, Collective.ALL_TO_ALL_BLOCKS),
            Option.MPI_ALGORITHM_REDUCE, List.of(Collective.REDUCE),
            Option.MPI_ALGORITHM_ALLREDUCE, List.of(Collective.ALL_REDUCE),
            Option.MPI_ALGORITHM_REDUCESCATTER, List.of(Collective.REDUCE_SCATTER_BLOCK, Collective.REDUCE_SCATTER),
            Option.MPI_ALGORITHM_SCAN, List.of(Collective.SCAN, Collective.EXCLUSIVE_SCAN));

    private static final Choice WITHOUT_OPTIONS = new Choice(List.of());

    /** By collective; null until one is asked for. */
    private final AtomicReferenceArray<Row[]> rows = new AtomicReferenceArray<>(Collective.values().length);

    private final List<Row> preferred;

    private record Known(Collective collective, String name, Algorithm algorithm) {}

    /**
     * A row of the table.
     *
     * @param mostRanks of the communicator, at which it still fits
     * @param mostBytes of one rank's block
     * @param algorithm null for what is no schedule, see {@link #isNoSchedule}
     * @param isInMemory whether it is for processes that share memory alone
     */
    public record Row(
            Collective collective,
            String name,
            int mostRanks,
            long mostBytes,
            Algorithm algorithm,
            boolean isInMemory) {
        private boolean fits(Shape shape, long bytes) {
            return shape.size() <= mostRanks
                    && bytes <= mostBytes
                    && (!isInMemory || shape.isInMemory())
                    && (algorithm == null || algorithm.fits(shape));
        }

        public boolean isForAllRanks() {
            return mostRanks == ALL;
        }

        public boolean isForAllBytes() {
            return mostBytes == ANY;
        }
    }

    private Choice(List<Row> preferred) {
        this.preferred = preferred;
    }

    /** Whichever thread makes them first, they are the same. */
    private Row[] of(Collective collective) {
        Row[] known = rows.get(collective.ordinal());
        if (known == null) {
            List<Row> own = new ArrayList<>();
            addOf(collective, preferred, own);
            addOf(collective, Arrays.asList(TABLE), own);
            known = own.toArray(new Row[0]);
            rows.set(collective.ordinal(), known);
        }
        return known;
    }

    private static void addOf(Collective collective, List<Row> rows, List<Row> own) {
        for (Row row : rows) {
            if (row.collective == collective) {
                own.add(row);
            }
        }
    }

    private static Row row(Collective collective, String name, int mostRanks, long mostBytes) {
        return new Row(collective, name, mostRanks, mostBytes, known(collective, name), false);
    }

    /** Where the kernel copies from rank to rank, and no wire is shared by the copies. */
    private static Row inMemory(Collective collective, String name, int mostRanks, long mostBytes) {
        return new Row(collective, name, mostRanks, mostBytes, known(collective, name), true);
    }

    private static Algorithm known(Collective collective, String name) {
        for (Known each : KNOWN) {
            if (each.collective == collective && each.name.equals(name)) {
                return each.algorithm;
            }
        }
        return null;
    }

    /** As the options say. */
    public static Choice of(Options options) {
        List<Row> preferred = null;
        for (Option option : OPTIONS.keySet()) {
            String value = options.text(option);
            if (!value.equals(Option.AUTO)) {
                preferred = preferred == null ? new ArrayList<>() : preferred;
                for (String part : value.split(",")) {
                    addRows(preferred, OPTIONS.get(option), part.trim().split(":"));
                }
            }
        }
        return preferred == null ? WITHOUT_OPTIONS : new Choice(preferred);
    }

    private static void addRows(List<Row> preferred, List<Collective> collectives, String[] nameAndBytes) {
        String name = nameAndBytes[0].trim();
        long most = nameAndBytes.length == 1 ? ANY : Options.parseSize(nameAndBytes[1]);
        for (Collective collective : collectives) {
            // Blocks of any size have fewer algorithms.
            if (known(collective, name) != null || isNoSchedule(name)) {
                preferred.add(row(collective, name, ALL, most));
            }
        }
    }

    /** The options that say how a collective is done, in the order in which they are declared. */
    public static List<Option> options() {
        return OPTIONS.keySet().stream().sorted().toList();
    }

    /** What an option is about; the first is the one that it is named after. */
    public static List<Collective> collectives(Option option) {
        return OPTIONS.get(option);
    }

    /**
     * Whether a collective can be done by an algorithm of that name in some shape; cells, arrays and tiers are none.
     */
    public static boolean isKnown(Collective collective, String name) {
        return known(collective, name) != null;
    }

    /** Whether an algorithm of that name can do a collective of so many ranks, whose operands may change places. */
    public static boolean fits(Collective collective, String name, int ranks) {
        Algorithm algorithm = known(collective, name);
        Shape shape = new Shape();
        shape.place(0, ranks, 0);
        shape.contribution(false, true, 1);
        return algorithm != null && algorithm.fits(shape);
    }

    /** The rows of a collective, as they are looked through. */
    public List<Row> rows(Collective collective) {
        return Arrays.asList(of(collective));
    }

    /**
     * The first algorithm that fits, where a call goes as messages.
     *
     * @param bytes of one rank's block, where they are all alike, else 0
     */
    public Algorithm algorithm(Collective collective, Shape shape, long bytes) {
        for (Row row : of(collective)) {
            if (row.algorithm != null && row.fits(shape, bytes)) {
                return row.algorithm;
            }
        }
        throw new IllegalStateException("no algorithm for " + collective);
    }

    /**
     * Of what is longer, how much goes between leaders at once.
     *
     * @param goesAhead whether it goes on a wire, beside what a rank does meanwhile
     */
    public static long segmentBytes(int leaders, boolean goesAhead) {
        return goesAhead ? Math.max(SEGMENT, leaders * SEGMENT_OF_LEADER) : SEGMENT_OF_CORES;
    }

    /** Whether it is one of {@link #CELLS}, {@link #FASTER}, {@link #ARRAYS} and {@link #TIERS}. */
    public static boolean isNoSchedule(String name) {
        return name.equals(CELLS) || name.equals(FASTER) || name.equals(ARRAYS) || name.equals(TIERS);
    }

    /**
     * Where in the table one of {@link #CELLS}, {@link #FASTER}, {@link #ARRAYS} and {@link #TIERS} comes, before any
     * algorithm that fits: the lower goes first.
     *
     * @return -1 if it doesn't
     */
    public int place(String name, Collective collective, Shape shape, long bytes) {
        Row[] all = of(collective);
        for (int i = 0; i < all.length; i++) {
            if (all[i].fits(shape, bytes) && (all[i].algorithm != null || all[i].name.equals(name))) {
                return all[i].algorithm == null ? i : -1;
            }
        }
        return -1;
    }

    /** Whether it has a {@link #place}. */
    public boolean prefers(String name, Collective collective, Shape shape, long bytes) {
        return place(name, collective, shape, bytes) >= 0;
    }
}
