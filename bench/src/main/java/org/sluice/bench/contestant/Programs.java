package org.sluice.bench.contestant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is installed. */
final class Programs {

    private Programs() {}

    static boolean areOnPath(String... names) {
        for (String name : names) {
            if (!isOnPath(name)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a compiler finds a header: Debian has the compilers of an MPI in another package than its headers. */
    static boolean haveHeader(String compiler, String header) {
        try {
            Process process = new ProcessBuilder(compiler, "-E", "-include", header, "-x", "c", "/dev/null")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isOnPath(String name) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
                return true;
            }
        }
        return false;
    }
}
