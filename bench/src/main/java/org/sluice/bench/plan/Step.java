package org.sluice.bench.plan;

/**
 * What all ranks of one contestant do at once: {@code leadIn} iterations that nobody times, then {@code batches} times
 * {@code batch} iterations with one clock read a batch. An iteration is a round trip, a window, or an exchange with the
 * neighbours.
 *
 * @param rewrite whether a sender writes its buffer anew for each message; if that is timed, the time of a batch is
 *     what rank 0 takes to do so
 * @param verify whether the content of each message is checked
 * @param window messages in a window, or to neighbours; 1 where the benchmark has none
 */
public record Step(
        Benchmark benchmark,
        Api api,
        int size,
        int batches,
        int batch,
        int leadIn,
        Rewrite rewrite,
        boolean verify,
        int window) {

    /** Of the message that small ones are sent beside. */
    public static final int HUGE_BYTES = 4 << 20;

    private static final String COMMAND = "RUN";
    private static final int FIELDS = 10;
    private static final int NEIGHBORS = 2;
    /** Places that collectives go round in, so that caches don't flatter them; few where they are large. */
    private static final int COLLECTIVE_SLOTS = 8;

    private static final int COLLECTIVE_SLOTS_LEAST = 2;
    private static final long COLLECTIVE_LARGE = 1 << 20;

    /** The line that the ranks read; the C peer reads the same one. */
    public String encode() {
        return String.join(
                " ",
                COMMAND,
                benchmark.label(),
                api.label(),
                Integer.toString(size),
                Integer.toString(batches),
                Integer.toString(batch),
                Integer.toString(leadIn),
                rewrite.digit(),
                verify ? "1" : "0",
                Integer.toString(window));
    }

    public static Step decode(String line) {
        String[] fields = line.split(" ");
        if (fields.length != FIELDS || !fields[0].equals(COMMAND)) {
            throw new IllegalArgumentException("not a step of this version: '" + line + "'");
        }
        return new Step(
                Benchmark.of(fields[1]),
                Api.of(fields[2]),
                Integer.parseInt(fields[3]),
                Integer.parseInt(fields[4]),
                Integer.parseInt(fields[5]),
                Integer.parseInt(fields[6]),
                Rewrite.of(fields[7]),
                fields[8].equals("1"),
                Integer.parseInt(fields[9]));
    }

    /** How many numbers rank 0 answers with: nanoseconds of each batch, or those of its parts as well. */
    public int samples() {
        return benchmark.isShare() ? Math.multiplyExact(batches, OverlapTimes.NUMBERS) : batches;
    }

    public int iterations() {
        return leadIn + Math.multiplyExact(batches, batch);
    }

    /** What one processor time is told of: messages, where each iteration has so many, and else iterations. */
    public long units() {
        return (long) iterations() * benchmark.messages(window);
    }

    /** Whether nobody looks at what the messages carry. */
    public boolean leavesBuffersAlone() {
        return rewrite == Rewrite.NO && !verify;
    }

    /** Places of one block from or for each rank that collectives of a size use one after the other. */
    public static int collectiveSlots(int size, int ranks) {
        return (long) size * ranks > COLLECTIVE_LARGE ? COLLECTIVE_SLOTS_LEAST : COLLECTIVE_SLOTS;
    }

    /**
     * Places that the messages of a window lie in. One where nobody looks at them, as in the OSU benchmarks; where a
     * message is written or checked while others are in flight, each has its own.
     */
    public int slots() {
        if (benchmark == Benchmark.NEIGHBOR) {
            return NEIGHBORS;
        }
        return leavesBuffersAlone() ? 1 : window;
    }
}
