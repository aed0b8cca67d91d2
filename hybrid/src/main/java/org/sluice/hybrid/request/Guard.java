package org.sluice.hybrid.request;

/**
 * What was thrown while this device worked, and is neither a peer's fault nor a mistake of the caller's: the device
 * can't go on, and is ended with this as its cause, by who caught it in a round, or by whoever looks next where it left
 * a call (docs/project/adr/0086-one-failure-law.md).
 *
 * <p><i>Thread</i>: any; the calls of the device write it as they are left, everybody else looks. <i>Proof</i>:
 * {@code StackOverflowTest}, {@code FailureLawTest}.
 */
public final class Guard {
    /** A store and no method, as where it is written there may be no stack for a call. Null: nothing. */
    public volatile Throwable caught;

    @Override
    public String toString() {
        return caught == null ? "nothing was thrown" : caught.toString();
    }
}
