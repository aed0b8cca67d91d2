package org.sluice.device.memory;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Skips, with the reason, what can't be had where {@code sun.misc.Unsafe} is refused. */
public final class NeedsUnsafe {
    private NeedsUnsafe() {}

    /** For a test that makes Chronicle Bytes. */
    public static void asChronicleDoes() {
        assumeTrue(Memory.isUnsafe(), "Chronicle needs sun.misc.Unsafe, which this JVM refuses");
    }

    /** For a test of what nobody else says: whose view a direct buffer is. */
    public static void toLookIntoBuffers() {
        assumeTrue(
                Memory.isUnsafe(),
                "whose view a buffer is can't be known without sun.misc.Unsafe, which this JVM refuses");
    }
}
