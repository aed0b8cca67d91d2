package org.sluice.jni;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Where a library may be unpacked, best first: the temporary directory is often mounted noexec, the others seldom. */
final class UnpackingDirectories {

    private UnpackingDirectories() {}

    static List<Path> ofThisProcess() {
        return of(System.getProperties(), System.getenv());
    }

    static List<Path> of(Map<?, ?> properties, Map<String, String> environment) {
        LinkedHashSet<Path> directories = new LinkedHashSet<>();
        addIfAbsolute(directories, (String) properties.get("java.io.tmpdir"), "");
        addIfAbsolute(directories, environment.get("XDG_RUNTIME_DIR"), "");
        addIfAbsolute(directories, environment.get("XDG_CACHE_HOME"), "sluice");
        addIfAbsolute(directories, (String) properties.get("user.home"), ".cache/sluice");
        // All that may be written in a container whose files may only be read.
        directories.add(Path.of("/dev/shm"));
        return new ArrayList<>(directories);
    }

    /** A relative one depends on where the JVM was started; user.home is "?" for a user without a home. */
    private static void addIfAbsolute(LinkedHashSet<Path> directories, String directory, String below) {
        if (directory != null && directory.startsWith("/")) {
            directories.add(Path.of(directory, below));
        }
    }
}
