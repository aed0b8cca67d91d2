package org.sluice.bench.kernels;

import java.util.Arrays;
import java.util.List;

/** How large a problem is, in NPB's letters. */
public enum ProblemClass {
    S,
    W,
    A,
    B;

    /** @param list as in {@code S,W} */
    public static List<ProblemClass> parse(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(letter -> of(letter.trim(), list))
                .distinct()
                .toList();
    }

    private static ProblemClass of(String letter, String list) {
        return Arrays.stream(values())
                .filter(each -> each.name().equalsIgnoreCase(letter))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--class '" + list + "': allowed are S, W, A and B, for instance --class S,W"));
    }
}
