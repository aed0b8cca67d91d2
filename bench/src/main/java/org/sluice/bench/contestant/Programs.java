package org.sluice.bench.contestant;

import java.nio.file.Files;
import java.nio.file.Path;

/** What is installed. */
final class Programs {

    private Programs() {
    }

    static boolean areOnPath(String... names) {
        for (String name : names) {
            if (!isOnPath(name)) {
                return false;
            }
        }
        return true;
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
