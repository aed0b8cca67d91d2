package org.sluice.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether the machine has memory for as many ranks as are to start on it: a slip of the keys should not start processes until nothing
 * else runs. It counts what bare ranks were seen to take, so what it lets through may still be too much for a program.
 */
final class RoomForRanks {
    /** Nobody asks below: that much fits wherever Sluice runs. */
    private static final int NEVER_REFUSED = 64;
    private static final long JVM_MB = 32;
    private static final long RANK_MB = 2;
    private static final long KB_A_MB = 1024;

    private final long memoryMb;

    /** @param memoryMb of the machine */
    RoomForRanks(long memoryMb) {
        this.memoryMb = memoryMb;
    }

    /** Where the kernel doesn't say, everything fits. */
    static RoomForRanks here() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("MemTotal:")) {
                    return new RoomForRanks(Long.parseLong(line.replaceAll("\\D", "")) / KB_A_MB);
                }
            }
        } catch (IOException e) {
            // Taken as unknown, below.
        }
        return new RoomForRanks(Long.MAX_VALUE);
    }

    /** @throws IllegalArgumentException when they can't fit */
    void check(int ranks, int jvms) {
        if (ranks <= NEVER_REFUSED || ranks * RANK_MB + jvms * JVM_MB <= memoryMb) {
            return;
        }
        throw new IllegalArgumentException("-n " + ranks + ": " + ranks + " ranks in " + (jvms == 1 ? "one JVM" : jvms + " JVMs")
                + " take " + (ranks * RANK_MB + jvms * JVM_MB) + " MB or more, and this machine has " + memoryMb + " MB; allowed are "
                + most(memoryMb / (JVM_MB + RANK_MB)) + " ranks as a JVM each, or " + most((memoryMb - JVM_MB) / RANK_MB)
                + " as threads of one JVM (--jvms 1)");
    }

    private static long most(long fitting) {
        return Math.max(NEVER_REFUSED, fitting);
    }
}
