package org.sluice.mpi;

import java.util.Arrays;

/**
 * One rank's edges of a graph of which nobody knows all, and how ranks come to know theirs: each rank tells those that
 * its edges concern, and where one has given anything wrong all of them throw.
 *
 * @param sourceWeights as the next, null for a graph without weights
 */
record DistributedEdges(int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights) {
    /** What may be wrong, the worst first; with ranks below it in one number, of which all ranks take the least. */
    private static final long WRONG_ARGUMENTS = 0;

    private static final long OTHER_WEIGHTS = 1;
    private static final long OTHER_EDGES = 2;
    private static final long NOTHING = 3;
    private static final int KIND_SHIFT = 60;
    private static final int RANK_SHIFT = 30;
    private static final int RANK_MASK = (1 << RANK_SHIFT) - 1;

    /** Of an edge that is told: whether it goes out from who is told, the other end, the weight. */
    private static final int EDGE_INTS = 3;

    /** Each rank gives the edges that concern it, and so each edge is given by both of its ends. */
    static DistributedEdges adjacent(
            Communicator parent, int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights) {
        int size = parent.size();
        IllegalArgumentException mistake = mistakeOf(() -> {
            checkRanks("source", sources, size);
            checkRanks("destination", destinations, size);
            if ((sourceWeights == null) != (destinationWeights == null)) {
                throw new IllegalArgumentException("weights of " + (sourceWeights == null ? "destinations" : "sources")
                        + " alone were given: give both, or none");
            }
            checkWeights(sourceWeights, sources.length);
            checkWeights(destinationWeights, destinations.length);
        });
        boolean isWrong = mistake != null;
        boolean isWeighted = !isWrong && sourceWeights != null;
        Told told = new Told(size, isWeighted);
        Told expected = new Told(size, isWeighted);
        if (!isWrong) {
            told.add(destinations, destinationWeights);
            expected.add(sources, sourceWeights);
        }
        Told heard = new Told(size, false);
        parent.exchange(told.words, heard.words);
        long found = isWrong ? fault(WRONG_ARGUMENTS, parent.rank(), 0) : fault(NOTHING, 0, 0);
        for (int i = 0; i < size && !isWrong; i++) {
            found = Math.min(found, heard.difference(expected, i, parent.rank()));
        }
        throwWhatIsWrong(parent, found, mistake);
        return new DistributedEdges(
                sources.clone(),
                isWeighted ? sourceWeights.clone() : null,
                destinations.clone(),
                isWeighted ? destinationWeights.clone() : null);
    }

    /** How many edges go from one rank to each other one, and of which weights. */
    private static final class Told {
        private static final int NUMBERS = 3;

        private final long[] words;

        Told(int size, boolean isWeighted) {
            words = new long[NUMBERS * size];
            for (int i = 0; i < words.length; i += NUMBERS) {
                words[i + 2] = isWeighted ? 1 : 0;
            }
        }

        void add(int[] ranks, int[] weights) {
            for (int i = 0; i < ranks.length; i++) {
                words[NUMBERS * ranks[i]]++;
                // A sum, in which the order doesn't count.
                long spread = weights == null ? 0 : (weights[i] + 1L) * 0x9E3779B97F4A7C15L;
                words[NUMBERS * ranks[i] + 1] += spread ^ spread >>> 29;
            }
        }

        long difference(Told expected, int from, int rank) {
            int at = NUMBERS * from;
            if (words[at + 2] != expected.words[at + 2]) {
                return fault(OTHER_WEIGHTS, rank, from);
            }
            boolean isSame = words[at] == expected.words[at] && words[at + 1] == expected.words[at + 1];
            return isSame ? fault(NOTHING, 0, 0) : fault(OTHER_EDGES, rank, from);
        }
    }

    /**
     * Each rank gives any edges, by where they come from.
     *
     * @param degrees how many of the destinations belong to each source
     */
    static DistributedEdges general(
            Communicator parent, int[] sources, int[] degrees, int[] destinations, int[] weights) {
        int size = parent.size();
        IllegalArgumentException mistake = mistakeOf(() -> {
            checkRanks("source", sources, size);
            checkRanks("destination", destinations, size);
            checkDegrees(sources, degrees, destinations);
            checkWeights(weights, destinations.length);
        });
        boolean isWrong = mistake != null;
        boolean isWeighted = !isWrong && weights != null;
        int[][] told = new int[size][0];
        if (!isWrong) {
            tell(told, sources, degrees, destinations, weights);
        }
        long[] lengths = new long[2 * size];
        for (int i = 0; i < size; i++) {
            lengths[2 * i] = told[i].length;
            lengths[2 * i + 1] = isWeighted ? 1 : 0;
        }
        long[] heard = new long[lengths.length];
        parent.exchange(lengths, heard);
        long found = isWrong ? fault(WRONG_ARGUMENTS, parent.rank(), 0) : fault(NOTHING, 0, 0);
        for (int i = 0; i < size && !isWrong; i++) {
            boolean isSame = heard[2 * i + 1] == lengths[1];
            found = Math.min(found, isSame ? fault(NOTHING, 0, 0) : fault(OTHER_WEIGHTS, parent.rank(), i));
        }
        throwWhatIsWrong(parent, found, mistake);
        return sorted(exchange(parent, told, heard), isWeighted);
    }

    private static void checkDegrees(int[] sources, int[] degrees, int[] destinations) {
        if (degrees == null || degrees.length != sources.length) {
            throw new IllegalArgumentException(sources.length + " sources and "
                    + (degrees == null ? "no" : degrees.length) + " degrees were given: one of each");
        }
        long sum = 0;
        for (int i = 0; i < degrees.length; i++) {
            if (degrees[i] < 0) {
                throw new IllegalArgumentException("degree " + i + " is " + degrees[i] + ": 0 or more");
            }
            sum += degrees[i];
        }
        if (sum != destinations.length) {
            throw new IllegalArgumentException(
                    "the degrees add up to " + sum + ", and " + destinations.length + " destinations were given");
        }
    }

    /** Both ends of each edge, in the order in which it was given. */
    private static void tell(int[][] told, int[] sources, int[] degrees, int[] destinations, int[] weights) {
        int[] used = new int[told.length];
        int edge = 0;
        for (int i = 0; i < sources.length; i++) {
            for (int j = 0; j < degrees[i]; j++) {
                int weight = weights == null ? 0 : weights[edge];
                int destination = destinations[edge++];
                tell(told, used, sources[i], 1, destination, weight);
                tell(told, used, destination, 0, sources[i], weight);
            }
        }
        for (int i = 0; i < told.length; i++) {
            told[i] = Arrays.copyOf(told[i], used[i]);
        }
    }

    private static void tell(int[][] told, int[] used, int whom, int isOut, int other, int weight) {
        if (used[whom] == told[whom].length) {
            told[whom] = Arrays.copyOf(told[whom], 2 * used[whom] + EDGE_INTS);
        }
        told[whom][used[whom]++] = isOut;
        told[whom][used[whom]++] = other;
        told[whom][used[whom]++] = weight;
    }

    /** @return what all have told this rank, in the order of their ranks */
    private static int[] exchange(Communicator parent, int[][] told, long[] lengths) {
        int size = told.length;
        int[] sent = new int[size];
        int[] received = new int[size];
        for (int i = 0; i < size; i++) {
            sent[i] = told[i].length;
            received[i] = (int) lengths[2 * i];
        }
        int[] all = Arrays.stream(told).flatMapToInt(Arrays::stream).toArray();
        int[] heard = new int[Arrays.stream(received).reduce(0, Math::addExact)];
        parent.exchangeBlocks(
                Data.blocks(all, sent, beginnings(sent)), Data.blocks(heard, received, beginnings(received)));
        return heard;
    }

    private static int[] beginnings(int[] lengths) {
        int[] at = new int[lengths.length];
        for (int i = 1; i < at.length; i++) {
            at[i] = Math.addExact(at[i - 1], lengths[i - 1]);
        }
        return at;
    }

    private static DistributedEdges sorted(int[] heard, boolean isWeighted) {
        int[][] ends = new int[2][heard.length / EDGE_INTS];
        int[][] weights = new int[2][heard.length / EDGE_INTS];
        int[] count = new int[2];
        for (int i = 0; i < heard.length; i += EDGE_INTS) {
            int isOut = heard[i];
            ends[isOut][count[isOut]] = heard[i + 1];
            weights[isOut][count[isOut]++] = heard[i + 2];
        }
        return new DistributedEdges(
                Arrays.copyOf(ends[0], count[0]),
                isWeighted ? Arrays.copyOf(weights[0], count[0]) : null,
                Arrays.copyOf(ends[1], count[1]),
                isWeighted ? Arrays.copyOf(weights[1], count[1]) : null);
    }

    // --- what is wrong -----------------------------------------------------------------------------------------------

    private static IllegalArgumentException mistakeOf(Runnable check) {
        try {
            check.run();
            return null;
        } catch (IllegalArgumentException e) {
            return e;
        }
    }

    private static void checkRanks(String what, int[] given, int size) {
        if (given == null) {
            throw new IllegalArgumentException("the " + what + "s are null: give an array, of no entries for none");
        }
        for (int i = 0; i < given.length; i++) {
            if (given[i] < 0 || given[i] >= size) {
                throw new IllegalArgumentException(
                        what + " " + i + " is rank " + given[i] + ": the communicator has ranks 0 to " + (size - 1));
            }
        }
    }

    private static void checkWeights(int[] weights, int edges) {
        if (weights == null) {
            return;
        }
        if (weights.length != edges) {
            throw new IllegalArgumentException(
                    weights.length + " weights were given for " + edges + " edges: one for each");
        }
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] < 0) {
                throw new IllegalArgumentException("weight " + i + " is " + weights[i] + ": 0 or more");
            }
        }
    }

    private static long fault(long kind, int rank, int other) {
        return kind << KIND_SHIFT | (long) rank << RANK_SHIFT | other;
    }

    /** At all ranks, if any has found anything. */
    private static void throwWhatIsWrong(Communicator parent, long found, IllegalArgumentException own) {
        long[] least = {found};
        parent.agreeOnLeast(least);
        if (own != null) {
            throw own;
        }
        long kind = least[0] >> KIND_SHIFT;
        int rank = (int) (least[0] >> RANK_SHIFT) & RANK_MASK;
        int other = (int) least[0] & RANK_MASK;
        if (kind == WRONG_ARGUMENTS) {
            throw new IllegalArgumentException(
                    "no graph was made: rank " + rank + " gave wrong arguments, which its own exception says");
        }
        if (kind == OTHER_WEIGHTS) {
            throw new IllegalArgumentException("no graph was made: of rank " + rank + " and rank " + other
                    + " one gave weights, and the other gave none: all ranks give them, or none");
        }
        if (kind == OTHER_EDGES) {
            throw new IllegalArgumentException("no graph was made: the edges from rank " + other + " to rank " + rank
                    + " that both gave differ: give each at both of its ends, with the same weight");
        }
    }
}
