package org.sluice.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a run was measured. */
public record Machine(String cpu, int cores, String kernel, String jdk) {

    public static Machine here(String jdk) {
        return new Machine(
                cpuName(), Runtime.getRuntime().availableProcessors(), System.getProperty("os.version"), jdk);
    }

    private static String cpuName() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
                if (line.startsWith("model name")) {
                    return line.substring(line.indexOf(':') + 1).trim();
                }
            }
        } catch (IOException e) {
            // The architecture is what is left to say.
        }
        return System.getProperty("os.arch");
    }

    @Override
    public String toString() {
        return cpu + ", " + cores + (cores == 1 ? " core" : " cores") + ", Linux " + kernel + ", JDK " + jdk;
    }
}
