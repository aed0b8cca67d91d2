package org.sluice.bench.queens;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** One solution, as rank 0 tells it: how long it took, and each rank's share. */
record QueensReading(long nanos, List<RankShare> ranks) {
    private static final String BEGIN = "QUEENS";

    String encode() {
        StringBuilder line = new StringBuilder(BEGIN).append(' ').append(nanos);
        for (RankShare rank : ranks) {
            for (long number : rank.encode()) {
                line.append(' ').append(number);
            }
        }
        return line.toString();
    }

    /** @return null for any other line */
    static QueensReading parse(String line) {
        String[] words = line.split(" ");
        if (!words[0].equals(BEGIN) || words.length < 2) {
            return null;
        }
        long[] numbers = new long[words.length - 2];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Long.parseLong(words[i + 2]);
        }
        List<RankShare> ranks = new ArrayList<>();
        for (int first = 0; first + RankShare.NUMBERS <= numbers.length; first += RankShare.NUMBERS) {
            ranks.add(RankShare.decode(numbers, first));
        }
        return new QueensReading(Long.parseLong(words[1]), ranks);
    }

    long sum(ToLongFunction<RankShare> of) {
        return ranks.stream().mapToLong(of).sum();
    }

    long[] each(ToLongFunction<RankShare> of) {
        return ranks.stream().mapToLong(of).toArray();
    }
}
