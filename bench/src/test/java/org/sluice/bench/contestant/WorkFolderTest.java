package org.sluice.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.launch.JavaHome;

/** Work folders are private, and those of dead harnesses, and of nobody else, are orphans. */
@Tag("once")
@Timeout(120)
final class WorkFolderTest {
    @TempDir
    private Path parent;

    /** A harness that has a folder until its standard input ends. */
    static final class Harness {
        private Harness() {}

        public static void main(String[] args) throws Exception {
            try (WorkFolder folder = WorkFolder.create(Path.of(args[0]))) {
                System.out.println(folder.path());
                while (System.in.read() >= 0) {
                    // Until it is killed.
                }
            }
        }
    }

    private static Process harness(Path parent) throws Exception {
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command(), "-XX:TieredStopAtLevel=1"));
        command.addAll(JavaHome.current().flags());
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), Harness.class.getName(), parent.toString()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** As an older version left it, days ago. */
    private Path folder(String name) throws Exception {
        Path folder = Files.createDirectory(parent.resolve(name));
        Files.writeString(Files.createDirectories(folder.resolve("aeron/loss")).resolve("file"), "left");
        return aged(folder, 25);
    }

    private static Path aged(Path folder, int hours) throws Exception {
        return Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minusSeconds(hours * 3600L)));
    }

    private static long deadPid() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        return ended.pid();
    }

    @Test
    void aWorkFolderIsPrivateAndOfItsCloserAlone() throws Exception {
        WorkFolder folder = WorkFolder.create();
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())));
        assertTrue(folder.freeBytes() > 0);
        assertTrue(WorkFolder.parents().contains(folder.path().getParent()));
        Files.writeString(folder.path().resolve("file"), "used");
        folder.close();
        assertFalse(Files.exists(folder.path()));
        folder.close();
    }

    @Test
    void theNextHarnessRemovesTheFolderOfADeadOne() throws Exception {
        Path orphan = folder("sluice-bench-" + deadPid() + "-1");
        WorkFolder.create(parent).close();
        assertFalse(Files.exists(orphan));
    }

    /** In another container its number says nothing: there it is absent, or somebody else's. */
    @Test
    void aHarnessLivesAsLongAsItHoldsTheLockWhateverItsNumber() throws Exception {
        Process harness = harness(parent);
        try {
            Path made = Path.of(harness.inputReader().readLine());
            Path absent = aged(Files.move(made, parent.resolve("sluice-bench-" + deadPid() + "-17")), 25);
            assertEquals(List.of(), WorkFolder.orphans(parent));
            harness.destroyForcibly().waitFor();
            assertEquals(List.of(absent), WorkFolder.orphans(parent));
            Path elses = Files.move(
                    absent,
                    parent.resolve("sluice-bench-"
                            + ProcessHandle.current().parent().orElseThrow().pid() + "-17"));
            assertEquals(List.of(elses), WorkFolder.orphans(parent));
        } finally {
            harness.destroyForcibly();
        }
    }

    /** Whoever closes a file drops every lock that his process has on it. */
    @Test
    void lookingForOrphansKeepsTheLockOfOnesOwnFolder() throws Exception {
        try (WorkFolder ours = WorkFolder.create(parent)) {
            assertEquals(List.of(), WorkFolder.orphans(parent));
            WorkFolder.create(parent).close();
            Process other = harness(parent);
            try {
                other.inputReader().readLine();
                assertTrue(Files.exists(ours.path()), "another harness has removed it");
            } finally {
                other.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void aFolderWithoutALockIsLeftForADay() throws Exception {
        Path young = aged(folder("sluice-bench-" + deadPid() + "-17"), 23);
        assertEquals(List.of(), WorkFolder.orphans(parent));
        // With the file and nobody who holds its lock it is dead at once.
        FileChannel.open(young.resolve("harness.lock"), Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
                .close();
        assertEquals(List.of(young), WorkFolder.orphans(parent));
    }

    @Test
    void aFolderToWhichTwoNamesLeadIsLookedThroughOnce() throws Exception {
        Path link = Files.createSymbolicLink(parent.resolve("link"), parent);
        assertEquals(Set.of(parent.toRealPath()), WorkFolder.parents(List.of(link, parent, parent.resolve("none"))));
    }

    @Test
    void onlyFoldersOfDeadProcessesAreOrphans() throws Exception {
        long dead = deadPid();
        Path orphan = folder("sluice-bench-" + dead + "-17");
        folder("sluice-bench-" + ProcessHandle.current().pid() + "-17");
        folder("sluice-bench-" + dead + "-notes");
        folder("sluice-bench-notes");
        Path precious = folder("precious");
        Files.createSymbolicLink(parent.resolve("sluice-bench-" + dead + "-18"), precious);
        Files.writeString(parent.resolve("sluice-bench-" + dead + "-19"), "a file");
        assertEquals(List.of(orphan), WorkFolder.orphans(parent));
        WorkFolder.remove(orphan);
        assertEquals(List.of(), WorkFolder.orphans(parent));
        try (var left = Files.list(parent)) {
            assertEquals(6, left.count());
        }
    }

    /** Root may write the folders of all, so that being able to is no proof. */
    @Test
    void anotherUsersFolderIsNotOurs() throws Exception {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        assumeTrue(user.equals(0), "only root can give a folder away");
        Path others = folder("sluice-bench-" + deadPid() + "-17");
        assertEquals(List.of(others), WorkFolder.orphans(parent));
        Files.setAttribute(others, "unix:uid", 12345);
        assertEquals(List.of(), WorkFolder.orphans(parent));
    }
}
