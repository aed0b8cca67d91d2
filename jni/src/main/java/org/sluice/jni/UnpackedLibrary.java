package org.sluice.jni;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The short life of a library as a file. The directory is ours alone (0700, a name that nobody can take in advance),
 * and so is the way to it ({@link SafeFolder}), so that no other user can swap the file between writing and loading it.
 */
final class UnpackedLibrary {

    private static final int ATTEMPTS = 100;

    private UnpackedLibrary() {}

    static void load(Path parent, String fileName, byte[] library) throws IOException {
        FileAttribute<?> ours = PosixFilePermissions.asFileAttribute(Set.of(
                PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE));
        Files.createDirectories(parent, ours);
        // Links are followed here, once, and no more behind the look.
        Path real = parent.toRealPath();
        SafeFolder.check(real);
        Path directory = createDirectory(real, ours);
        Path file = directory.resolve(fileName);
        try {
            try (OutputStream out =
                    Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                out.write(library);
            }
            System.load(file.toAbsolutePath().toString());
        } finally {
            delete(file);
            delete(directory);
        }
    }

    /**
     * As Files.createTempDirectory, which would set up the JDK's random numbers for a name that is no secret: a
     * directory that somebody else made in advance is never taken.
     */
    private static Path createDirectory(Path parent, FileAttribute<?> ours) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return Files.createDirectory(parent.resolve("sluice-" + Long.toHexString(System.nanoTime())), ours);
            } catch (FileAlreadyExistsException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** NFS keeps a mapped file under another name until it is unmapped: its directory goes with the JVM, if at all. */
    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }
}
