package org.sluice.hybrid.request;

/**
 * What ended a call of this device half-way, with a lock held or half a change made: the device can't go on, and
 * whoever looks next ends it (docs/project/adr/0065-a-call-that-the-stack-ended-ends-the-device.md).
 *
 * <p><i>Thread</i>: any; the calls of the device write it as they are left, everybody else looks. <i>Proof</i>:
 * {@code StackOverflowTest}.
 */
public final class Unwound {
    /** A store and no method, as where it is written there is no stack for a call. Null: nothing. */
    public volatile Throwable by;

    /**
     * Makes the class known to this loader before it is thrown: to find a handler for one that isn't takes stack too.
     */
    private final Class<?> expected = StackOverflowError.class;

    @Override
    public String toString() {
        return by == null ? "no " + expected.getSimpleName() : by.toString();
    }
}
