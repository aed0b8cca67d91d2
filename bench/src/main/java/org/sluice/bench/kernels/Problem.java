package org.sluice.bench.kernels;

/**
 * What a kernel is run on.
 *
 * @param isWeak whether the problem grows with ranks, as weak scaling wants it: the class is then that of one rank
 */
public record Problem(ProblemClass size, boolean isWeak) {
    private static final String WEAK = "-weak";

    /** In one word. */
    String label() {
        return isWeak ? size + WEAK : size.name();
    }

    static Problem parse(String label) {
        boolean isWeak = label.endsWith(WEAK);
        String letter = isWeak ? label.substring(0, label.length() - WEAK.length()) : label;
        return new Problem(ProblemClass.valueOf(letter), isWeak);
    }
}
