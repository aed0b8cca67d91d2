package org.sluice.cli.vm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What of the host each guest gets.
 *
 * <p>An emulated guest has one processor unless more are asked for: QEMU emulates several in threads that can run code
 * which another one has just changed in its older form, and a JVM that compiles while it runs crashes of that now and
 * then.
 */
record HostShare(int processors, int memoryMb) {
    static final int MOST_PROCESSORS = 4;
    private static final int MOST_MB = 6144;
    private static final int LEAST_MB = 1024;

    /** @param wanted processors of each guest; 0 for the default */
    static HostShare of(int nodes, int wanted, Accelerator accelerator) throws IOException {
        int processors = wanted > 0
                ? wanted * nodes
                : accelerator == Accelerator.TCG ? nodes : Runtime.getRuntime().availableProcessors();
        return of(nodes, processors, availableMb());
    }

    static HostShare of(int nodes, int processors, long availableMb) throws VmFailure {
        // The host's own processes, the caller's Maven for one, keep a third.
        long memoryMb = Math.min(MOST_MB, availableMb * 2 / 3) / nodes;
        if (memoryMb < LEAST_MB) {
            throw new VmFailure("a guest needs " + LEAST_MB + " MB, and this machine has " + memoryMb
                    + " MB for each of " + nodes + " (two thirds of the " + availableMb
                    + " MB that are free): end other programs, or take fewer --nodes");
        }
        return new HostShare(Math.max(1, Math.min(MOST_PROCESSORS, processors / nodes)), (int) memoryMb);
    }

    private static long availableMb() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith("MemAvailable:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
            }
        }
        throw new VmFailure("/proc/meminfo has no line MemAvailable");
    }
}
