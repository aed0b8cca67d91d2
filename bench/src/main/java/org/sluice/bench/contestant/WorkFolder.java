package org.sluice.bench.contestant;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A folder in memory, readable by its owner alone, for what a contestant's ranks share. Its name carries the harness's process
 * number, so that one whose harness was killed is removed by the next.
 */
final class WorkFolder implements AutoCloseable {
    private static final String PREFIX = "sluice-bench-";
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path path;

    private WorkFolder(Path path) {
        this.path = path;
    }

    static WorkFolder create() throws IOException {
        Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        removeOrphans(parent);
        return new WorkFolder(Files.createTempDirectory(parent, PREFIX + ProcessHandle.current().pid() + "-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
    }

    Path path() {
        return path;
    }

    /** Bytes that can still be written there. A FileStore would need the mount table, which lacks the root of some chroots. */
    long freeBytes() {
        return path.toFile().getUsableSpace();
    }

    private static void removeOrphans(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : folders) {
                String pid = folder.getFileName().toString().substring(PREFIX.length()).split("-")[0];
                boolean ours = Files.isWritable(folder) && pid.matches("[0-9]{1,10}");
                if (ours && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    new WorkFolder(folder).close();
                }
            }
        }
    }

    @Override
    public void close() {
        if (!Files.exists(path)) {
            return;
        }
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            System.err.println("could not remove " + path + " (" + e.getMessage() + "): remove it by hand");
        }
    }
}
