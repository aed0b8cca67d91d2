package org.sluice.bench.gc;

/**
 * One second of one rank.
 *
 * @param size bytes of a message
 * @param collections that the rank asked for in that second
 * @param worstNanos how long one of them waited at most
 */
record GcWaitReading(int size, int rank, int collections, long worstNanos) {
    private static final String MARK = "gc-wait-reading";
    private static final int FIELDS = 5;

    String encode() {
        return MARK + " " + size + " " + rank + " " + collections + " " + worstNanos;
    }

    /** @return null where a line of output is something else */
    static GcWaitReading parse(String line) {
        String[] words = line.split(" ");
        if (words.length != FIELDS || !words[0].equals(MARK)) {
            return null;
        }
        return new GcWaitReading(
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Long.parseLong(words[4]));
    }
}
