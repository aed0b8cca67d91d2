package org.sluice.device;

/** Why a request or a call failed. The names stand in docs/reference/errors.md. */
public enum ErrorCode {
    /** No error. */
    NONE,
    /** The message was longer than the receive; the receive holds its first bytes and the message is consumed. */
    TRUNCATED,
    /**
     * The message's length is no multiple of the receiving element's size; its bytes are in the buffer all the same.
     */
    ELEMENT_MISMATCH,
    /** Withdrawn by {@link Request#cancel()}: a receive before a message matched it, or a send before a receive did. */
    CANCELLED,
    /** The peer closed its device in good order and nothing of it is left to receive. */
    PEER_CLOSED,
    /** The peer's process ended without closing its device, or its device failed. */
    PEER_DEAD,
    /** The peer wrote what no Sluice writes; it is cut off. */
    PEER_CORRUPT,
    /** The peer's part of a collective failed, so that nobody's can be completed. */
    COLLECTIVE_FAILED,
    /** A rank has revoked the communicator. */
    REVOKED,
    /** Pages of a buffer of the program's can't be reached: the file that it maps was cut short. */
    BUFFER_LOST,
    /** This device was closed while the call was in progress, or before. */
    DEVICE_CLOSED,
    /** This device stopped because one of its own invariants broke; the cause tells which. */
    DEVICE_FAILED,
    /** The time that was given ran out. */
    TIMEOUT,
    /** Memory, shared memory or another resource could not be had. */
    NO_MEMORY,
    /** Opening failed: no job, a peer that did not come, unequal versions or options. */
    OPEN_FAILED
}
