package org.sluice.bench.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The benchmarks that {@code ./sluice bench} knows. */
public enum Benchmark {
    /** Ping-pong; half a round trip. */
    LATENCY("ns", "half a round trip"),
    /** Windows of messages one way, each window answered once. */
    BANDWIDTH("MB/s", "windows of messages one way, 1 MB = 10^6 bytes"),
    /** Windows of messages both ways at once. */
    BIBANDWIDTH("MB/s", "windows of messages both ways at once, sum of both"),
    /** As bandwidth, counted in messages. */
    RATE("msg/s", "windows of messages one way"),
    /** Ring: every rank sends to and receives from both of its neighbours (k = 1). */
    NEIGHBOR("ns", "one exchange with both neighbours in the ring"),
    /** Ping-pong of objects; half a round trip. */
    OBJECTS("ns", "half a round trip of a list with an array of doubles, written and read again"),
    /** How much of a message's time passes while the receiver computes. */
    OVERLAP("%", "the share of a message's time that is hidden while its receiver computes"),
    /** The same of a sum of doubles at both ranks, of which one computes. */
    OVERLAP_ALLREDUCE("%", "the share of an allreduce's time that is hidden while one of its ranks computes"),
    /** Collectives: the time of a call, of each rank by itself. */
    BARRIER("ns", "one barrier"),
    BROADCAST("ns", "one broadcast, from each rank in turn"),
    REDUCE("ns", "one sum of doubles, at each rank in turn"),
    ALLREDUCE("ns", "one sum of doubles, at all ranks"),
    REDUCE_SCATTER("ns", "one sum of doubles, of which each rank gets a block of this size"),
    ALLGATHER("ns", "one block from each rank, at all ranks"),
    ALLTOALL("ns", "one block from each rank to each"),
    GATHER("ns", "one block from each rank, at each rank in turn"),
    SCATTER("ns", "one block to each rank, from each rank in turn"),
    SCAN("ns", "one sum of doubles of the ranks up to the own"),
    /** Ring: every rank sends to its k neighbours on either side, each of whom sends the message back. */
    KNEIGHBOR("ns", "messages to k neighbours on either side in the ring, each sent back"),
    /** The same where the messages to one neighbour are huge. */
    KNEIGHBOR_HUGE("ns", "the same beside a message of 4 MB to one of them, until all others have come back"),
    /** Rank 0 sends to each other rank. */
    ONE_TO_ALL("ns", "messages from one rank to each other one, and their acknowledgements"),
    /** Latency where other receives are posted, of tags of their own. */
    CROWD_POSTED("ns", "half a round trip; source and tag named, other receives posted"),
    /** Latency where messages wait that none of the receives takes; one benchmark for each pattern of a receive. */
    CROWD_EXACT("ns", "half a round trip; source and tag named, unexpected messages wait"),
    CROWD_ANY_SOURCE("ns", "half a round trip; any source, unexpected messages wait"),
    CROWD_ANY_TAG("ns", "half a round trip; any tag, unexpected messages wait"),
    CROWD_ANY("ns", "half a round trip; any source and any tag, unexpected messages wait");

    /** No races, and so none of these. */
    public static final String BY_ITSELF =
            "cold, nqueens, coalescing, memory, reuse, breakdown, gc-wait, ib-channel and papers";
    /** The name that stands for all benchmarks among a crowd. */
    private static final String ALL_CROWDS = "crowd";
    /** The name that stands for all collectives. */
    private static final String ALL_COLLECTIVES = "collectives";

    private final String unit;
    private final String meaning;

    Benchmark(String unit, String meaning) {
        this.unit = unit;
        this.meaning = meaning;
    }

    public String unit() {
        return unit;
    }

    public String meaning() {
        return meaning;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether messages go out in windows. */
    public boolean windowed() {
        return this == BANDWIDTH || this == BIBANDWIDTH || this == RATE;
    }

    /** Whether Sluice is raced with itself: among many receives or messages, and alone. */
    public boolean crowded() {
        return ordinal() >= CROWD_POSTED.ordinal();
    }

    /** Whether an iteration is a round trip, of which half counts. */
    public boolean pingPong() {
        return this == LATENCY || this == OBJECTS || crowded();
    }

    /**
     * Messages of an iteration; 1 where it counts as a whole, as a collective does.
     *
     * @param window messages one way
     */
    public int messages(int window) {
        if (pingPong()) {
            return 2;
        }
        return this == BIBANDWIDTH ? 2 * window : windowed() ? window : 1;
    }

    /** Whether all ranks make one call together. */
    public boolean isCollective() {
        return ordinal() >= BARRIER.ordinal() && ordinal() <= SCAN.ordinal();
    }

    /** Whether every message is answered, and several are on their way at once. */
    public boolean isAnswered() {
        return isNeighbourly() || this == ONE_TO_ALL;
    }

    /** Whether a rank sends to k neighbours on either side. */
    public boolean isNeighbourly() {
        return this == KNEIGHBOR || this == KNEIGHBOR_HUGE;
    }

    /** Whether it is made for other numbers of ranks than 2. */
    public boolean takesMoreRanks() {
        return this == NEIGHBOR || isCollective() || isAnswered();
    }

    /** Whether it computes with what ranks contribute. */
    public boolean isReduction() {
        return this == REDUCE
                || this == ALLREDUCE
                || this == REDUCE_SCATTER
                || this == SCAN
                || this == OVERLAP_ALLREDUCE;
    }

    /** Whether a rank has a block for each. */
    public boolean sendsToEach() {
        return this == ALLTOALL || this == SCATTER || this == REDUCE_SCATTER;
    }

    /** Whether a rank's result has a block of each. */
    public boolean receivesFromEach() {
        return this == ALLTOALL || this == GATHER || this == ALLGATHER;
    }

    /** Whether the receives name no source. */
    public boolean anySource() {
        return this == CROWD_ANY_SOURCE || this == CROWD_ANY;
    }

    /** Whether the receives name no tag. */
    public boolean anyTag() {
        return this == CROWD_ANY_TAG || this == CROWD_ANY;
    }

    /** Whether the figure is a share of times, which each iteration has by itself. */
    public boolean isShare() {
        return this == OVERLAP || this == OVERLAP_ALLREDUCE;
    }

    /** Whether iterations are timed one by one, with no pass of their own for tails. */
    public boolean timesEach() {
        return windowed() || isShare();
    }

    /** Whether a small value is a good one. */
    public boolean lowerIsBetter() {
        return !windowed() && !isShare();
    }

    public static Benchmark of(String label) {
        for (Benchmark benchmark : values()) {
            if (benchmark.label().equals(label)) {
                return benchmark;
            }
        }
        throw new IllegalArgumentException("no benchmark is called '" + label + "'; there are " + labels()
                + ", each by itself " + BY_ITSELF + ", and the kernels that --help names");
    }

    /** Those that a name on the command line stands for. */
    public static List<Benchmark> named(String name) {
        if (name.equals(ALL_COLLECTIVES)) {
            return Arrays.stream(values()).filter(Benchmark::isCollective).toList();
        }
        return name.equals(ALL_CROWDS)
                ? Arrays.stream(values()).filter(Benchmark::crowded).toList()
                : List.of(of(name));
    }

    public static String labels() {
        return Arrays.stream(values()).map(Benchmark::label).collect(Collectors.joining(", ")) + ", " + ALL_CROWDS
                + " (all of them), " + ALL_COLLECTIVES + " (all of them)";
    }
}
