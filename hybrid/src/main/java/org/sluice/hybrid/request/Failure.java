package org.sluice.hybrid.request;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.BufferLostException;

/**
 * Why an operation failed, kept until somebody asks: the exception is made on the thread that gets it, so its trace is
 * of use. Knows whether the program can have learned of it. <i>Thread</i>: any.
 */
public final class Failure {
    private final ErrorCode code;
    private final int peer;
    private final String message;
    private final Throwable cause;
    private final boolean readsOn;
    private volatile boolean told;
    private volatile boolean heard;

    public Failure(ErrorCode code, int peer, String message) {
        this(code, peer, message, null);
    }

    public Failure(ErrorCode code, int peer, String message, Throwable cause) {
        this(code, peer, message, cause, false);
    }

    private Failure(ErrorCode code, int peer, String message, Throwable cause, boolean readsOn) {
        this.code = code;
        this.peer = peer;
        this.message = message;
        this.cause = cause;
        this.readsOn = readsOn;
    }

    /**
     * Of a peer that is dead to the job while its process goes on: views of leases are read there although the leases
     * have ended.
     */
    public static Failure ofPeersDevice(int peer, String message) {
        return new Failure(ErrorCode.PEER_DEAD, peer, message, null, true);
    }

    /** Of a peer that, or whose memory, has shown what no Sluice writes. */
    public static Failure ofCorruptPeer(int peer, String reason) {
        return new Failure(
                ErrorCode.PEER_CORRUPT,
                peer,
                "rank " + peer + " is cut off: it wrote what no Sluice writes: " + reason);
    }

    /** Of everything: something was thrown that no peer and no program is at fault for. */
    public static Failure ofDevice(Throwable cause) {
        return new Failure(ErrorCode.DEVICE_FAILED, -1, null, cause);
    }

    public ErrorCode code() {
        return code;
    }

    public int peer() {
        return peer;
    }

    public String message() {
        if (message != null) {
            return message;
        }
        return "this device stopped because of " + cause + whatToDo();
    }

    private String whatToDo() {
        if (cause instanceof StackOverflowError) {
            return ": it ended a call of the device half-way; end the recursion before such calls, or give its thread"
                    + " more stack (-Xss)";
        }
        if (cause instanceof OutOfMemoryError) {
            return ": give the JVM more memory, and start it with -XX:+ExitOnOutOfMemoryError";
        }
        return cause instanceof BufferLostException
                ? ": keep files at their length while requests use buffers that map them"
                : "; please report this with the stack trace";
    }

    public Throwable cause() {
        return cause;
    }

    /** Whether the peer's process goes on, where its program may read what was lent to it. */
    public boolean readsOn() {
        return readsOn;
    }

    /** A request of the program's has it now. */
    void tell() {
        told = true;
    }

    /** Whether a request failed because of it, or a call threw it. */
    public boolean isTold() {
        return told;
    }

    /** The program has asked a request for its error, or gets an exception. */
    void hear() {
        heard = true;
    }

    public boolean isHeard() {
        return heard;
    }

    public SluiceException toException(Status status) {
        tell();
        hear();
        return new SluiceException(code, peer, message(), status, cause);
    }

    @Override
    public String toString() {
        return "Failure[" + code + ", peer " + peer + ", " + message() + "]";
    }
}
