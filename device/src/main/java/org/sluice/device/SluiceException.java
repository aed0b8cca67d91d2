package org.sluice.device;

import java.util.Objects;

/**
 * A communication failed: the code says why, the peer says with whom (or -1), and the status, where there is one, what
 * arrived all the same. Mistakes of the caller (a negative tag, a rank out of range) are
 * {@link IllegalArgumentException} or {@link IllegalStateException} instead and are thrown before anything is sent.
 */
public final class SluiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final int peer;
    private final transient Status status;

    public SluiceException(ErrorCode code, int peer, String message, Throwable cause) {
        this(code, peer, message, null, cause);
    }

    public SluiceException(ErrorCode code, int peer, String message, Status status, Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code, "code");
        this.peer = peer;
        this.status = status;
    }

    public SluiceException(ErrorCode code, String message) {
        this(code, -1, message, null);
    }

    public ErrorCode code() {
        return code;
    }

    /** With the code, by which docs/reference/errors.md is ordered: a stack trace is often all that there is. */
    @Override
    public String toString() {
        return getClass().getName() + ": " + code + ": " + getMessage();
    }

    /** Rank of the peer that is concerned, or -1. */
    public int peer() {
        return peer;
    }

    /** What arrived although the call failed (TRUNCATED, ELEMENT_MISMATCH), else null. */
    public Status status() {
        return status;
    }
}
