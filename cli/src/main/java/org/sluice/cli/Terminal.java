package org.sluice.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The streams of this process that a user may be looking at. The script says which of them are terminals: Java knows of
 * both at once at most, and since JDK 22 it has a console where there is none.
 */
enum Terminal {
    OUT("out"),
    ERR("err");

    static final String PROPERTY = "sluice.terminal";

    private final String label;

    Terminal(String label) {
        this.label = label;
    }

    /** False where this JVM was started by something else than the script. */
    boolean isThere() {
        return isIn(System.getProperty(PROPERTY, ""));
    }

    /** @param streams as the script lists them, with commas between */
    boolean isIn(String streams) {
        return List.of(streams.split(",")).contains(label);
    }

    /** Whether both streams end in one terminal, file or pipe; false if the kernel doesn't say. */
    static boolean isOnePlace() {
        try {
            return Files.isSameFile(Path.of("/proc/self/fd/1"), Path.of("/proc/self/fd/2"));
        } catch (IOException e) {
            return false;
        }
    }
}
