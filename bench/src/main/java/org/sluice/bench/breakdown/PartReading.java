package org.sluice.bench.breakdown;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a part took.
 *
 * @param size bytes, 0 where there are none
 * @param batches each a mean in ns of some of it, ascending; empty where it could not be timed
 * @param each how many are in a batch
 * @param why it could not be timed; else empty
 */
public record PartReading(Part part, int size, double[] batches, int each, String why) {
    private static final String MARK = "part-reading";
    private static final String SEPARATOR = "\t";
    private static final int FIELDS = 6;

    static PartReading none(Part part, int size, String why) {
        return new PartReading(part, size, new double[0], 0, why);
    }

    boolean isThere() {
        return batches.length > 0;
    }

    /** The share of the way up; 0.5 is the median. */
    double at(double share) {
        return batches[Math.min(batches.length - 1, (int) (share * batches.length))];
    }

    String encode() {
        return String.join(
                SEPARATOR,
                MARK,
                part.label(),
                Integer.toString(size),
                Integer.toString(each),
                why.replaceAll("\\s+", " "),
                Arrays.toString(batches));
    }

    /** Empty if the line is another's. */
    static Optional<PartReading> parse(String line) {
        String[] fields = line.split(SEPARATOR);
        if (fields.length != FIELDS || !fields[0].equals(MARK)) {
            return Optional.empty();
        }
        String numbers = fields[5].substring(1, fields[5].length() - 1);
        double[] batches = numbers.isEmpty()
                ? new double[0]
                : Arrays.stream(numbers.split(", "))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
        return Part.ofLabel(fields[1])
                .map(part -> new PartReading(
                        part, Integer.parseInt(fields[2]), batches, Integer.parseInt(fields[3]), fields[4]));
    }
}
