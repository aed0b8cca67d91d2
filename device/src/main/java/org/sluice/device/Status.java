package org.sluice.device;

/**
 * What is known of one message: who sent it, with which tag, how long it is, and how its receive ended.
 *
 * <p>Mutable so that a receive loop can reuse one object and allocate nothing; the device writes it only inside the
 * call that it was passed to. <i>Thread</i>: one at a time.
 */
public final class Status {
    private int source = -1;
    private int tag = -1;
    private int contextId = -1;
    private long bytes;
    private int elementSize = 1;
    private ErrorCode error = ErrorCode.NONE;

    /** Rank of the sender; -1 before a message was received. */
    public int source() {
        return source;
    }

    public int tag() {
        return tag;
    }

    public int contextId() {
        return contextId;
    }

    /** Bytes delivered to the buffer; for a probe, and for TRUNCATED, the bytes that the sender sent. */
    public long bytes() {
        return bytes;
    }

    /**
     * Whole elements of the receiving buffer's type in {@link #bytes()}; a probe knows no buffer and counts bytes: see
     * {@link #count(int)}.
     */
    public long count() {
        return bytes / elementSize;
    }

    /**
     * How many elements a message has, for a probe that is followed by the allocation of a buffer: {@code new
     * double[(int) status.count(Double.BYTES)]}.
     *
     * @param elementBytes of one element, at least 1
     * @throws IllegalArgumentException where the message is no whole number of such elements
     */
    public long count(int elementBytes) {
        if (elementBytes < 1) {
            throw new IllegalArgumentException("an element of " + elementBytes + " bytes: at least 1, as Double.BYTES");
        }
        if (bytes % elementBytes != 0) {
            throw new IllegalArgumentException("a message of " + bytes + " bytes is no whole number of elements of "
                    + elementBytes + " bytes: ask with the size of the type that was sent");
        }
        return bytes / elementBytes;
    }

    public ErrorCode error() {
        return error;
    }

    /** For the device: fills in all fields at once. */
    public void set(
            int newSource, int newTag, int newContextId, long newBytes, int newElementSize, ErrorCode newError) {
        source = newSource;
        tag = newTag;
        contextId = newContextId;
        bytes = newBytes;
        elementSize = newElementSize;
        // Nearly always NONE again; to write a reference into an old object costs a fence where the collector is G1.
        if (error != newError) {
            error = newError;
        }
    }

    /** For a layer above the device, which numbers ranks and contexts by itself. */
    public void rename(int newSource, int newContextId) {
        source = newSource;
        contextId = newContextId;
    }

    @Override
    public String toString() {
        return "Status[source " + source + ", tag " + tag + ", context " + contextId + ", " + bytes + " bytes, " + error
                + "]";
    }
}
