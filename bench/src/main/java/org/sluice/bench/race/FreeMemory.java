package org.sluice.bench.race;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The machine's free memory. Where it lies in small pieces, whoever starts first gets those, and whoever starts last
 * what is still whole, in which the kernel copies long messages up to a third faster: no contestant shall have either.
 *
 * <p><i>Thread</i>: any.
 */
public final class FreeMemory {
    private static final Path COMPACT = Path.of("/proc/sys/vm/compact_memory");

    private FreeMemory() {}

    /** Joins the pieces where this user may ask the kernel to: root, outside most containers. */
    public static void compact() {
        try {
            Files.write(COMPACT, new byte[] {'1'}, StandardOpenOption.WRITE);
        } catch (IOException e) {
            // Then it lies as it does, and more than one fork of a race shows what that is worth.
        }
    }
}
