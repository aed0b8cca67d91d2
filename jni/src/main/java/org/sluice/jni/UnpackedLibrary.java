package org.sluice.jni;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The short life of a library as a file. The directory is ours alone (0700, a name that nobody can take in advance), so
 * that no other user can swap the file between writing and loading it.
 */
final class UnpackedLibrary {

    private UnpackedLibrary() {
    }

    static void load(Path parent, String fileName, byte[] library) throws IOException {
        FileAttribute<?> ours = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(parent, ours);
        Path directory = Files.createTempDirectory(parent, "sluice-", ours);
        Path file = directory.resolve(fileName);
        try {
            Files.write(file, library, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            System.load(file.toAbsolutePath().toString());
        } finally {
            delete(file);
            delete(directory);
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
