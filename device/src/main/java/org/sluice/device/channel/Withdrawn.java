package org.sluice.device.channel;

/** Whether a peer has withdrawn what it had described ({@link Sharing#withdraw}), and why. */
public enum Withdrawn {
    /** The memory is still its messages'. */
    NO,

    /** The peer has closed. */
    BY_CLOSE,

    /** The peer's device failed, or has cut this rank off. */
    BY_FAILURE,

    /** What says so was overwritten; the peer has failed. */
    CORRUPT
}
