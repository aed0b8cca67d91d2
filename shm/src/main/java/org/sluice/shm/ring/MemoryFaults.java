package org.sluice.shm.ring;

/**
 * What HotSpot does when a page of a mapping is gone: the access yields nonsense and an {@link InternalError} follows, on JDK 17 as
 * late as at the thread's next transition out of Java code.
 *
 * <p>Whoever finds nonsense calls this first, so that the error ends here and not in a caller's own code.
 */
public final class MemoryFaults {
    private MemoryFaults() {
    }

    /** Takes the error that a recent access left pending; returns whether there was one. */
    public static boolean settle() {
        try {
            // A native method of no other effect: the transition is where a pending error is thrown.
            Thread.yield();
            return false;
        } catch (InternalError e) {
            return true;
        }
    }
}
