package org.sluice.hybrid.route;

/**
 * What became of a send that is to be taken back (docs/project/adr/0052-sends-that-are-taken-back.md). <i>Proof</i>:
 * {@code CancelledSendCases}, {@code HostilePacketsTest}.
 */
public enum Withdrawal {
    /** The peer had not heard of it. */
    WITHDRAWN,
    /** The peer is asked for it, and says what came of that. */
    ASKED_FOR,
    /** The same, once there is room for the question. */
    TO_BE_ASKED_FOR,
    TOO_LATE
}
