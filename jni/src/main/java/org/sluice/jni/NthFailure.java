package org.sluice.jni;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which call of a seam fails: the n-th of all, or of one method. <i>Thread</i>: any; the count is over all of them.
 * <i>Proof</i>: {@code FailingOsTest}, {@code FailingVerbsTest}.
 */
public final class NthFailure {
    private static final long NEVER = 0;

    private final String method;
    private final long failingCall;
    private final int errno;
    private final AtomicLong count = new AtomicLong();

    private NthFailure(String method, long failingCall, int errno) {
        this.method = method;
        this.failingCall = failingCall;
        this.errno = errno;
    }

    /** Only counts. */
    public static NthFailure never() {
        return new NthFailure(null, NEVER, 0);
    }

    /**
     * @param fallible the methods that may be named
     * @param method null for all
     * @param failingCall from 1
     * @param example an errno, for the message
     */
    public static NthFailure of(List<String> fallible, String method, long failingCall, int errno, String example) {
        if (failingCall < 1) {
            throw new IllegalArgumentException("failingCall is " + failingCall + "; the first call is number 1.");
        }
        if (errno < 1) {
            throw new IllegalArgumentException(
                    "errno is " + errno + "; give a positive number such as Errno." + example + ".");
        }
        if (method != null && !fallible.contains(method)) {
            throw new IllegalArgumentException("No call named " + method + " can fail; these can: " + fallible + ".");
        }
        return new NthFailure(method, failingCall, errno);
    }

    /** Calls so far that counted. */
    public long callCount() {
        return count.get();
    }

    /** What a call that fails returns. */
    public int errno() {
        return errno;
    }

    /**
     * A call is made.
     *
     * @return whether it is the one that fails
     */
    public boolean fails(String name) {
        return (method == null || method.equals(name)) && count.incrementAndGet() == failingCall;
    }
}
