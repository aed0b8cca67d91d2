package org.sluice.bench.rank;

/**
 * Receives or messages that wait while others are timed.
 *
 * <p><i>Thread</i>: the rank's. <i>Fails</i>: {@link IllegalStateException} when not all of them waited until the end,
 * since then something else was measured than the table says.
 */
interface Crowd {
    /** Returns when all wait. Both ranks call it before a step. */
    void gather();

    /** Takes all of them away and checks that they waited. Both ranks call it after a step. */
    void disperse();
}
