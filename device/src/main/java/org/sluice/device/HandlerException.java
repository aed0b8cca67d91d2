package org.sluice.device;

/**
 * A handler threw, its executor refused it, or its message could not be had in whole; what went wrong is the cause. The
 * message counts as handled, and the device goes on. It is told to the {@link Thread.UncaughtExceptionHandler} of the
 * thread that the handler ran on, which by default prints it.
 */
public final class HandlerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int handler;
    private final int source;
    private final long bytes;

    /** @param rank whose handler it is */
    public HandlerException(int rank, int handler, int source, long bytes, String what, Throwable cause) {
        super(
                "handler " + handler + " of rank " + rank + " " + what + " for a message of " + bytes
                        + " bytes from rank " + source + ", which counts as handled: " + cause,
                cause);
        this.handler = handler;
        this.source = source;
        this.bytes = bytes;
    }

    /** The handler's id. */
    public int handler() {
        return handler;
    }

    /** The rank that sent the message. */
    public int source() {
        return source;
    }

    /** Length of the message. */
    public long bytes() {
        return bytes;
    }
}
