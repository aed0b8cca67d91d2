package org.sluice.bench.kernels;

import org.sluice.bench.plan.Api;

/**
 * What a kernel is run on.
 *
 * @param isWeak whether the problem grows with ranks, as weak scaling wants it: the class is then that of one rank
 * @param api the calls of those kernels that have a choice
 */
public record Problem(ProblemClass size, boolean isWeak, Api api) {
    private static final String WEAK = "-weak";
    private static final String REQUEST = "-" + Api.REQUEST.label();

    /** By the calls that come first where there is a choice. */
    public Problem(ProblemClass size, boolean isWeak) {
        this(size, isWeak, Api.HANDLER);
    }

    /** For tables. */
    String label() {
        return isWeak ? size + WEAK : size.name();
    }

    /** All of it in one word. */
    String encode() {
        return label() + (api == Api.REQUEST ? REQUEST : "");
    }

    static Problem parse(String word) {
        boolean isRequest = word.endsWith(REQUEST);
        String label = isRequest ? word.substring(0, word.length() - REQUEST.length()) : word;
        boolean isWeak = label.endsWith(WEAK);
        String letter = isWeak ? label.substring(0, label.length() - WEAK.length()) : label;
        return new Problem(ProblemClass.valueOf(letter), isWeak, isRequest ? Api.REQUEST : Api.HANDLER);
    }
}
