package org.sluice.shm;

/** What a rank of this JVM shows to the other ranks of this JVM; found through {@link JvmRanks}. */
public interface LocalEnd {
    /** From any thread; once true, always true. */
    boolean isClosed();
}
