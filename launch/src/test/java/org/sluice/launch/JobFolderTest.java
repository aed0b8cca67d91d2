package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.user.OtherUser;

/** Where the socket of a job stands, who may reach it, and what stays of it. */
final class JobFolderTest {
    @TempDir
    private Path place;

    private long user;

    @BeforeEach
    void findUser() throws IOException {
        user = JobFolder.ownUser();
    }

    private static void age(Path folder) throws IOException {
        Files.setLastModifiedTime(folder, FileTime.fromMillis(System.currentTimeMillis() - 2 * JobFolder.YOUNG_MS));
    }

    /** As one looks whose launcher was killed. */
    private Path left(Path where) throws IOException {
        JobFolder job = JobFolder.make(List.of(where), 1);
        job.listener().close();
        return job.socket().getParent();
    }

    @Test
    void itsUserAloneMayLookIntoItAndNothingStaysOfIt() throws IOException {
        try (JobFolder job = JobFolder.make(List.of(place), 1)) {
            Path folder = job.socket().getParent();
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
            assertTrue(folder.getFileName().toString().startsWith("sluice-job-" + user + "-"));
            assertEquals("", JobFolder.refuse(job.socket()));
        }
        assertEquals(0, place.toFile().list().length);
    }

    @Test
    void wherePlacesWontDoTheNextIsTakenAndElseEachIsSaid() throws Exception {
        Path open = Files.createDirectory(place.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path below = Files.createDirectory(open.resolve("below"));
        Path deep = Files.createDirectories(place.resolve("d".repeat(90)));
        Path none = place.resolve("none");
        String said = assertThrows(IOException.class, () -> JobFolder.make(List.of(open, below, deep, none), 1))
                .getMessage();
        assertTrue(
                said.contains(open + ": others may rename what is in " + open)
                        && said.contains(below + ": others may rename"),
                said);
        assertTrue(
                said.contains(deep + ": its path is too long")
                        && said.contains(none.toString())
                        && said.contains("XDG_RUNTIME_DIR"),
                said);
        try (JobFolder job = JobFolder.make(List.of(open, deep, none, place), 1)) {
            assertEquals(place, job.socket().getParent().getParent());
        }
        assertEquals(
                List.of(Path.of("/a"), Path.of("/tmp"), Path.of("/b"), Path.of("/dev/shm")),
                JobFolder.places("/a", "/b"));
        assertEquals(List.of(Path.of("/tmp"), Path.of("/dev/shm")), JobFolder.places("relative", null));
    }

    @Test
    void thatOfAnotherUserIsNoPlaceAndNoneToConnectTo() throws Exception {
        Path his = Files.createDirectory(place.resolve("his"));
        OtherUser.stranger().give(his);
        String said = assertThrows(IOException.class, () -> JobFolder.make(List.of(his), 1))
                .getMessage();
        assertTrue(said.contains("belongs to another user"), said);
        try (JobFolder job = JobFolder.make(List.of(place), 1)) {
            OtherUser.stranger().give(job.socket().getParent());
            assertTrue(JobFolder.refuse(job.socket()).contains("is no folder of this user alone"));
            assertTrue(assertThrows(
                            IOException.class,
                            () -> JobAddress.local(job.socket()).connect(System.nanoTime()))
                    .getMessage()
                    .contains("no folder of"));
            OtherUser.stranger().shell("true");
            Files.setAttribute(job.socket().getParent(), "unix:uid", (int) user);
        }
    }

    @Test
    void whatOthersMayLookIntoIsNoneToConnectTo() throws IOException {
        try (JobFolder job = JobFolder.make(List.of(place), 1)) {
            Path folder = job.socket().getParent();
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            assertTrue(JobFolder.refuse(job.socket()).contains("its mode 755"));
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            Path link = Files.createSymbolicLink(place.resolve("link"), folder);
            assertFalse(JobFolder.refuse(link.resolve("socket")).isEmpty());
        }
    }

    @Test
    void whatAKilledLauncherLeftIsSweptAndNothingElse() throws Exception {
        Path left = left(place);
        Path young = left(place);
        Path unnamed = Files.move(left(place), place.resolve("sluice-job-" + user + "-mine"));
        Path empty = left(place);
        Files.delete(empty.resolve("socket"));
        Path full = left(place);
        Files.createFile(full.resolve("kept"));
        try (JobFolder alive = JobFolder.make(List.of(place), 1)) {
            Path listening = alive.socket().getParent();
            for (Path old : List.of(left, unnamed, empty, full, listening)) {
                age(old);
            }
            Path link = Files.createSymbolicLink(
                    place.resolve(full.getFileName().toString().replaceAll("[0-9a-f]{16}$", "0123456789abcdef")), full);
            JobFolder.sweep(place);
            assertFalse(Files.exists(left));
            assertFalse(Files.exists(empty));
            for (Path kept : List.of(young, unnamed, full.resolve("kept"), link, listening.resolve("socket"))) {
                assertTrue(Files.exists(kept), kept::toString);
            }
        }
        JobFolder.sweep(place.resolve("none"));
    }

    /** Several machines may share the folder, and what listens on one of them seems dead on the others. */
    @Test
    void thatOfAnotherMachineIsNotSwept() throws Exception {
        Path left = left(place);
        Path elsewhere = left.resolveSibling(left.getFileName().toString().replaceAll("-[0-9a-f]{8}-", "-ffffffff-"));
        Files.move(left, elsewhere);
        age(elsewhere);
        JobFolder.sweep(place);
        assertTrue(Files.exists(elsewhere.resolve("socket")));
    }

    @Test
    void thatOfAnotherUserIsNotSwept() throws Exception {
        Path his = left(place);
        age(his);
        OtherUser.stranger().give(his);
        JobFolder.sweep(place);
        assertTrue(Files.exists(his.resolve("socket")));
    }

    @Test
    void aSocketOfAnotherNameIsNotRemoved() throws IOException {
        Path socket = Files.createFile(place.resolve("socket"));
        JobFolder.remove(socket);
        assertTrue(Files.exists(socket));
    }
}
