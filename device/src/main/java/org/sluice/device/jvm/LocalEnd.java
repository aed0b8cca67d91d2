package org.sluice.device.jvm;

/** What a rank of this JVM shows to the other ranks of this JVM; found through {@link JvmRanks}. */
public interface LocalEnd {
    /** From any thread; once true, always true. */
    boolean isClosed();

    /** The rank's program has ended and nobody will close this: its peers are to hear of it. From any thread. */
    default void abandon() {
        // What the rank's device doesn't tell of.
    }
}
