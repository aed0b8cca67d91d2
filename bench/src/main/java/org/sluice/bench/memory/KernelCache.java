package org.sluice.bench.memory;

/**
 * Objects of one size that the kernel took for connections, as {@code /proc/slabinfo} counts them.
 *
 * @param bytes of one
 * @param perConnection how many for each end of a connection
 */
record KernelCache(String name, int bytes, double perConnection) {
    private static final String MARK = "memory-cache";
    private static final int FIELDS = 5;

    /** @return null where a line of output is something else */
    static KernelCache parse(String line) {
        String[] words = line.split(" ");
        if (words.length != FIELDS || !words[0].equals(MARK)) {
            return null;
        }
        return new KernelCache(
                words[1], Integer.parseInt(words[2]), Double.parseDouble(words[3]) / Integer.parseInt(words[4]));
    }

    double bytesOfConnection() {
        return bytes * perConnection;
    }
}
