package org.sluice.bench.reuse;

/**
 * What rank 0 read.
 *
 * @param size bytes of a message
 * @param uses messages each way out of one buffer before the next is taken
 * @param nanos one way, the median over buffers
 * @param buffers that were taken one after the other
 * @param registrations of memory that went with them
 */
record ReuseReading(int size, int uses, long nanos, int buffers, long registrations) {
    private static final String MARK = "reuse-reading";
    private static final int FIELDS = 6;

    String encode() {
        return MARK + " " + size + " " + uses + " " + nanos + " " + buffers + " " + registrations;
    }

    /** @return null where a line of output is something else */
    static ReuseReading parse(String line) {
        String[] words = line.split(" ");
        if (words.length != FIELDS || !words[0].equals(MARK)) {
            return null;
        }
        return new ReuseReading(
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Long.parseLong(words[3]),
                Integer.parseInt(words[4]),
                Long.parseLong(words[5]));
    }
}
