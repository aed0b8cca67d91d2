package org.sluice.cli.doctor;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/**
 * Segments that jobs left behind: files called sluice-&lt;uid&gt;-&lt;hex&gt; whose owner, who holds a lock while it
 * lives, is gone. Only segments that have names, and only while a job opens: it must have been killed then, with its
 * launcher.
 *
 * <p>Thread: one.
 *
 * <p>Fails: with the file's IOException in {@link #clean}; nothing that is locked, young, or another user's is ever
 * removed.
 *
 * <p>Proof: {@code LeftoversTest}.
 */
public final class Leftovers {
    private static final String TOPIC = "left-overs";
    private static final Pattern NAME = Pattern.compile("sluice-(\\d+)-[0-9a-f]+");
    /** A segment is made first and locked next: a younger one may be on its way. */
    private static final Duration YOUNG = Duration.ofSeconds(10);

    private final Path folder;
    private final OsCalls os;
    private final Path self;

    public Leftovers(Path folder) {
        this(folder, Os.calls(), Path.of("/proc/self"));
    }

    /** @param self whose owner is this user, for where the native library doesn't say */
    Leftovers(Path folder, OsCalls os, Path self) {
        this.folder = folder;
        this.os = os;
        this.self = self;
    }

    List<Finding> examine() {
        try {
            List<Path> dead = find();
            return dead.isEmpty()
                    ? List.of(Finding.ok(TOPIC, "none of dead jobs in " + folder))
                    : List.of(Finding.slower(
                            TOPIC,
                            dead.size() + " of dead jobs in " + folder + ", "
                                    + (bytes(dead) >> 10) + " KB: "
                                    + String.join(
                                            " ",
                                            dead.stream()
                                                    .map(path ->
                                                            path.getFileName().toString())
                                                    .toList()),
                            "./sluice doctor --clean removes them"));
        } catch (IOException e) {
            return List.of(
                    Finding.information(TOPIC, "could not be looked for in " + folder + ": " + Finding.reason(e)));
        }
    }

    /** Files of dead jobs of this user. */
    public List<Path> find() throws IOException {
        List<Path> dead = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return dead;
        }
        long uid = userId();
        for (Path file : all(Files.newDirectoryStream(folder, "sluice-*"))) {
            if (isOurs(file, uid) && isDead(file)) {
                dead.add(file);
            }
        }
        dead.sort(null);
        return dead;
    }

    /** Removes what {@link #find} finds, and says what it was. */
    public List<Path> clean() throws IOException {
        List<Path> removed = new ArrayList<>();
        for (Path file : find()) {
            if (Files.deleteIfExists(file)) {
                removed.add(file);
            }
        }
        return removed;
    }

    static List<Path> all(DirectoryStream<Path> files) throws IOException {
        List<Path> all = new ArrayList<>();
        try (files) {
            files.forEach(all::add);
        } catch (DirectoryIteratorException e) {
            // Unchecked, and so past everyone who is ready for a folder that can't be read.
            throw e.getCause();
        }
        return all;
    }

    private long userId() throws IOException {
        long uid = os.getuid();
        if (uid >= 0) {
            return uid;
        }
        try {
            return ((Number) Files.getAttribute(self, "unix:uid")).longValue();
        } catch (IOException e) {
            throw new IOException(
                    "this user's number is unknown, without which nobody's segments are touched: the native "
                            + "library is not loaded, and " + self + " can't be read (" + Finding.reason(e) + ")",
                    e);
        }
    }

    private static boolean isOurs(Path file, long uid) throws IOException {
        var matcher = NAME.matcher(file.getFileName().toString());
        if (!matcher.matches() || !matcher.group(1).equals(Long.toString(uid))) {
            return false;
        }
        try {
            Map<String, Object> facts =
                    Files.readAttributes(file, "unix:uid,isRegularFile,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
            boolean old = ((FileTime) facts.get("lastModifiedTime"))
                    .toInstant()
                    .isBefore(Instant.now().minus(YOUNG));
            return old && (Boolean) facts.get("isRegularFile") && ((Number) facts.get("uid")).longValue() == uid;
        } catch (java.nio.file.NoSuchFileException e) {
            // Its job has just unlinked it.
            return false;
        }
    }

    private static boolean isDead(Path file) {
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
                FileLock lock = channel.tryLock(0, 1, true)) {
            return lock != null;
        } catch (OverlappingFileLockException e) {
            // The owner is in this JVM.
            return false;
        } catch (IOException e) {
            // Who can't open it can't say that it is dead.
            return false;
        }
    }

    private static long bytes(List<Path> files) {
        return files.stream().mapToLong(file -> file.toFile().length()).sum();
    }
}
