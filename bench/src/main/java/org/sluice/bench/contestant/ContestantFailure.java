package org.sluice.bench.contestant;

/**
 * A contestant did not start, answered with an error or died; the message names it and carries the last lines that it
 * printed.
 */
public final class ContestantFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public ContestantFailure(String message) {
        super(message);
    }

    public ContestantFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
