package org.sluice.bench.contestant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What is installed. */
final class Programs {
    private static final List<String> LIBRARIES =
            List.of("/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib");

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

    /** Whether a program would find it where systems for 64 bits have their libraries, or where it is told to look. */
    static boolean haveLibrary(String name) {
        String told = System.getenv().getOrDefault("LD_LIBRARY_PATH", "");
        return Stream.concat(Stream.of(told.split(":")), LIBRARIES.stream())
                .anyMatch(folder -> !folder.isEmpty() && Files.isReadable(Path.of(folder, name)));
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
