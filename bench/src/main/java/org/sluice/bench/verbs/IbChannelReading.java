package org.sluice.bench.verbs;

import java.util.Arrays;

/**
 * What a rank read, in nanoseconds of a message one way.
 *
 * @param messages that were timed
 * @param own the channel's, in some of the batches, ascending
 * @param callNs in calls of the library, the median over batches
 * @param calls of the library
 * @param instructions of the thread, those of the library with it; negative where they can't be counted
 * @param why they can't be counted, in a few words; else empty
 */
record IbChannelReading(long messages, double[] own, double callNs, double calls, double instructions, String why) {
    private static final String MARK = "ib-channel-reading";
    private static final int FIELDS = 6;

    String encode() {
        StringBuilder line = new StringBuilder(MARK);
        line.append(' ')
                .append(messages)
                .append(' ')
                .append(callNs)
                .append(' ')
                .append(calls)
                .append(' ')
                .append(instructions);
        line.append(' ').append(why.isEmpty() ? "-" : why.replace(' ', '_'));
        for (double each : own) {
            line.append(' ').append(each);
        }
        return line.toString();
    }

    /** Null if the line is another's. */
    static IbChannelReading parse(String line) {
        String[] fields = line.split(" ");
        if (fields.length <= FIELDS || !fields[0].equals(MARK)) {
            return null;
        }
        return new IbChannelReading(
                Long.parseLong(fields[1]),
                Arrays.stream(fields, FIELDS, fields.length)
                        .mapToDouble(Double::parseDouble)
                        .toArray(),
                Double.parseDouble(fields[2]),
                Double.parseDouble(fields[3]),
                Double.parseDouble(fields[4]),
                fields[5].equals("-") ? "" : fields[5].replace('_', ' '));
    }

    /** The share of the way up; 0.5 is the median. */
    double at(double share) {
        return own[Math.min(own.length - 1, (int) (share * own.length))];
    }

    double mean() {
        return Arrays.stream(own).average().orElseThrow();
    }
}
