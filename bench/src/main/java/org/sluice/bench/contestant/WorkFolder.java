package org.sluice.bench.contestant;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder in memory, readable by its owner alone, for what a contestant's ranks share. The harness holds the lock of a
 * file in it as long as the folder is used, so that one whose harness was killed is known as an orphan, also to those
 * who see other process numbers: the next harness removes it, and so does {@code ./sluice doctor --clean}.
 *
 * <p>Proof: {@code WorkFolderTest}.
 */
public final class WorkFolder implements AutoCloseable {
    private static final String PREFIX = "sluice-bench-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "([0-9]{1,10})-[0-9]+");
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String LOCK = "harness.lock";
    /**
     * No benchmark takes as long: one without a lock is of an older version, or its harness was killed before it had
     * it.
     */
    private static final Duration LONG_AGO = Duration.ofDays(1);

    private final Path path;
    private final FileChannel lock;

    private WorkFolder(Path path) throws IOException {
        this.path = path;
        this.lock = lock(path);
    }

    static WorkFolder create() throws IOException {
        return create(real(Files.isWritable(MEMORY) ? MEMORY : temporary()));
    }

    /** For processes that see another /dev/shm. */
    static WorkFolder createOutsideMemory() throws IOException {
        return create(real(temporary()));
    }

    static WorkFolder create(Path parent) throws IOException {
        for (Path orphan : orphans(parent)) {
            removeOrSay(orphan);
        }
        Path path = Files.createTempDirectory(
                parent,
                PREFIX + ProcessHandle.current().pid() + "-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            return new WorkFolder(path);
        } catch (IOException e) {
            removeOrSay(path);
            throw e;
        }
    }

    /**
     * The file gets its name when it is locked: under that name it is never seen without a lock that its harness lives
     * to hold.
     */
    private static FileChannel lock(Path folder) throws IOException {
        Path unnamed = folder.resolve(LOCK + ".new");
        FileChannel channel = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            channel.lock();
            Files.move(unnamed, folder.resolve(LOCK));
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    Path path() {
        return path;
    }

    /**
     * Bytes that can still be written there. A FileStore would need the mount table, which lacks the root of some
     * chroots.
     */
    long freeBytes() {
        return path.toFile().getUsableSpace();
    }

    /** Where such folders may be. */
    public static Set<Path> parents() {
        return parents(List.of(MEMORY, temporary()));
    }

    /** Those that there are, each once, whatever links lead there. */
    static Set<Path> parents(List<Path> candidates) {
        Set<Path> parents = new LinkedHashSet<>();
        for (Path candidate : candidates) {
            if (Files.isDirectory(candidate)) {
                parents.add(real(candidate));
            }
        }
        return parents;
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            // Who uses it is told why.
            return folder;
        }
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Folders in {@code parent} of this user whose harness is dead. */
    public static List<Path> orphans(Path parent) throws IOException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        List<Path> orphans = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : folders) {
                Matcher name = NAME.matcher(folder.getFileName().toString());
                if (name.matches() && isOrphan(folder, user, Long.parseLong(name.group(1)))) {
                    orphans.add(folder);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        orphans.sort(null);
        return orphans;
    }

    private static boolean isOrphan(Path folder, Object user, long pid) {
        try {
            Map<String, Object> facts =
                    Files.readAttributes(folder, "unix:uid,isDirectory,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
            // By the owner, as root may write everybody's.
            return (Boolean) facts.get("isDirectory")
                    && user.equals(facts.get("uid"))
                    && isDead(folder, pid, ((FileTime) facts.get("lastModifiedTime")).toInstant());
        } catch (IOException e) {
            // Another harness was faster, or it can't be looked at: who can't look can't say that it is dead.
            return false;
        }
    }

    private static boolean isDead(Path folder, long pid, Instant changed) throws IOException {
        if (pid == ProcessHandle.current().pid()) {
            // Not even looked at: whoever closes a file drops every lock that his process has on it.
            return false;
        }
        try (FileChannel channel = FileChannel.open(
                        folder.resolve(LOCK), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
                FileLock had = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return had != null;
        } catch (NoSuchFileException e) {
            return ProcessHandle.of(pid).isEmpty()
                    && changed.isBefore(Instant.now().minus(LONG_AGO));
        } catch (OverlappingFileLockException e) {
            // Another thread is looking too.
            return false;
        }
    }

    @Override
    public void close() {
        removeOrSay(path);
        try {
            lock.close();
        } catch (IOException e) {
            System.err.println("could not close the lock in " + path + " (" + e + ")");
        }
    }

    private static void removeOrSay(Path folder) {
        try {
            remove(folder);
        } catch (IOException e) {
            System.err.println("could not remove " + folder + " (" + e + "): remove it by hand");
        }
    }

    /**
     * With all that is in it. What can't be removed keeps nothing else, and the lock's file goes last, so that the rest
     * stays known as an orphan.
     */
    public static void remove(Path folder) throws IOException {
        Path lock = folder.resolve(LOCK);
        List<IOException> failures = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                return file.equals(lock) ? FileVisitResult.CONTINUE : delete(file);
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                // A folder that can't be read may be empty, and another harness may have been faster.
                return delete(file);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path inner, IOException failure) {
                if (inner.equals(folder) && failures.isEmpty()) {
                    delete(lock);
                }
                return inner.equals(folder) && !failures.isEmpty() ? FileVisitResult.CONTINUE : delete(inner);
            }

            private FileVisitResult delete(Path file) {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    failures.add(e);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    /** Of the files in it, as far as they can be looked at. */
    public static long bytes(Path folder) {
        long[] bytes = {0};
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes[0] += attributes.isRegularFile() ? attributes.size() : 0;
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path inner, IOException failure) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("no method of the visitor throws", e);
        }
        return bytes[0];
    }
}
