package org.sluice.bench.kernels;

import java.util.Locale;

/**
 * What rank 0 says of one run.
 *
 * @param value the result, and what it should be, for people
 */
record KernelReading(KernelName kernel, Problem problem, boolean isVerified, Figures figures, String value) {
    /**
     * What was counted.
     *
     * @param connections that a rank has made over verbs or TCP, the mean over ranks
     */
    record Figures(double mops, double seconds, double connections) {}

    private static final String MARK = "kernel-reading";
    private static final int FIELDS = 8;

    double mops() {
        return figures.mops();
    }

    double seconds() {
        return figures.seconds();
    }

    double connections() {
        return figures.connections();
    }

    String encode() {
        return String.format(
                Locale.ROOT,
                "%s %s %s %s %.6f %.6f %.3f %s",
                MARK,
                kernel,
                problem.encode(),
                isVerified,
                mops(),
                seconds(),
                connections(),
                value);
    }

    /** @return null where a line of output is something else */
    static KernelReading parse(String line) {
        String[] words = line.split(" ", FIELDS);
        if (words.length != FIELDS || !words[0].equals(MARK)) {
            return null;
        }
        return new KernelReading(
                KernelName.valueOf(words[1]),
                Problem.parse(words[2]),
                Boolean.parseBoolean(words[3]),
                new Figures(Double.parseDouble(words[4]), Double.parseDouble(words[5]), Double.parseDouble(words[6])),
                words[7]);
    }
}
