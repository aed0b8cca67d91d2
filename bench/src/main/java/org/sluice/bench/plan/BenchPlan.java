package org.sluice.bench.plan;

import java.util.List;

/**
 * One benchmark over one route, as the user asked for it.
 *
 * @param iterations round trips (or windows, or exchanges) of a size in one round; 0 to choose by time
 * @param seconds how long rounds go on; 0 for as many as the comparison needs
 * @param pin whether rank i runs on core i
 * @param peers who is raced beside Sluice, by name
 * @param crowd how many receives or messages wait beside the timed ones; without meaning where the benchmark isn't
 *     crowded
 * @param k neighbours on either side that a rank sends to; without meaning where the benchmark has none
 * @param nodes that share no memory, over each of which as many ranks are spread; 1 for this machine as it is
 * @param verbs how Sluice itself is to use them
 */
public record BenchPlan(
        Benchmark benchmark,
        Route route,
        Api api,
        BufferKind buffer,
        int ranks,
        List<Integer> sizes,
        int iterations,
        double seconds,
        boolean pin,
        List<String> peers,
        boolean rewrite,
        boolean verify,
        int crowd,
        int k,
        int nodes,
        VerbsUse verbs) {
    public static final int WINDOW = 64;
    /** Where every message of a window lies in its own slot, all slots together take no more than about this. */
    private static final int SLOTS_BYTES_MOST = 64 << 20;

    private static final int WINDOW_LEAST = 4;
    /** Over verbs: software in the place of an adapter takes half a second for that. */
    private static final int VERBS_BYTES_MOST = 16 << 20;

    /** For titles. */
    public String whereabouts() {
        return (nodes > 1
                        ? "processes of " + nodes + " nodes, over " + (route == Route.IB ? "verbs" : "TCP")
                                + " between these"
                        : route.meaning())
                + verbs.title();
    }

    public int largestSize() {
        return sizes.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    /** Messages of a window of this size; a power of two. */
    public int window(int size) {
        if (!benchmark.windowed()) {
            return benchmark.isNeighbourly() ? 2 * k : 1;
        }
        int window = WINDOW;
        int most = route == Route.IB ? VERBS_BYTES_MOST : rewrite || verify ? SLOTS_BYTES_MOST : Integer.MAX_VALUE;
        while (window > WINDOW_LEAST && (long) window * size > most) {
            window /= 2;
        }
        return window;
    }

    /** Bytes of payload that are in flight at most. */
    public long largestInFlight() {
        return sizes.stream()
                .mapToLong(size -> (long) size * window(size))
                .max()
                .orElseThrow();
    }

    /** Bytes of the largest buffer that a rank sends from. */
    public long largestBuffer() {
        if (benchmark.isAnswered()) {
            return largestAnswered();
        }
        return sizes.stream()
                .mapToLong(size -> (long) size
                        * (benchmark.isCollective() || benchmark.isReduction()
                                ? (long) ranks * Step.collectiveSlots(size, ranks)
                                : step(size, 1, 1, 1).slots()))
                .max()
                .orElseThrow();
    }

    /** Of all ranks, which may be threads of one JVM: what each sends, gets and gets back lies in places of its own. */
    private long largestAnswered() {
        long places = benchmark == Benchmark.ONE_TO_ALL ? 2 : 3L * 2 * k;
        long huge = benchmark == Benchmark.KNEIGHBOR_HUGE ? 3L * Step.HUGE_BYTES : 0;
        return ranks * (places * largestSize() + huge);
    }

    public Step step(int size, int batches, int batch, int leadIn) {
        Rewrite senders = rewrite ? Rewrite.YES : Rewrite.NO;
        return new Step(benchmark, api, size, batches, batch, leadIn, senders, verify, window(size));
    }

    /** Whether it is told apart what a message takes and what its sender, who writes it anew. */
    public boolean timesRewriting() {
        return rewrite && !verify && benchmark == Benchmark.LATENCY;
    }

    /** The same, in which that alone is timed. */
    public Step rewriting(int size, int batches, int batch, int leadIn) {
        return new Step(benchmark, api, size, batches, batch, leadIn, Rewrite.TIMED, verify, window(size));
    }
}
