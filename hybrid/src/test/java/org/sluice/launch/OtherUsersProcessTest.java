package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.Device;
import org.sluice.device.user.OtherUser;

/**
 * What another user of the machine gets of a job that is none of his: nothing. And what a job needs of the machine: no
 * network.
 */
@Tag("once")
@Timeout(120)
final class OtherUsersProcessTest {
    private static final long PATIENCE_MS = 20_000;

    @TempDir
    private Path folder;

    /** Says hello at a socket as rank 1 of 2, and prints how that went. */
    static final class Stranger {
        private Stranger() {}

        public static void main(String[] args) throws IOException {
            try (UnixSocket socket = UnixSocket.connect(args[0])) {
                socket.getOutputStream().write(Hello.frame(Hello.ROLE_RANK, 1, 1, 2, SluiceVersion.CURRENT));
                System.out.println("answered " + new DataInputStream(socket.getInputStream()).readInt());
            } catch (IOException e) {
                System.out.println("nothing: " + e);
            }
        }
    }

    private static void assumeCanRead(OtherUser user) throws IOException, InterruptedException {
        StringBuilder readable = new StringBuilder("true");
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.contains("hybrid")) {
                readable.append(" && test -r '").append(entry).append("'");
            }
        }
        assumeTrue(user.shell(readable.toString()).status == 0, "another user can't read this checkout");
    }

    private static String asStranger(String socket) throws IOException, InterruptedException {
        OtherUser stranger = OtherUser.stranger();
        assumeCanRead(stranger);
        return stranger.shell("'" + JavaHome.current().command() + "' -Xmx64m -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path") + "' '" + Stranger.class.getName() + "' '" + socket
                        + "' 2>&1")
                .output;
    }

    @Test
    void heCanNotReachTheSocketNorSeeIt() throws Exception {
        try (JobServer server = JobServer.start(2)) {
            String socket = server.address().text();
            assertEquals(2, OtherUser.stranger().shell("ls " + Path.of(socket).getParent()).status);
            String said = asStranger(socket);
            assertTrue(said.startsWith("nothing: ") && said.contains("Permission denied"), said);
        }
    }

    @Test
    void whereTheFolderIsOpenedTheKernelStillSaysWhoHeIs() throws Exception {
        try (JobServer server = JobServer.start(2)) {
            Path socket = Path.of(server.address().text());
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
            Files.setPosixFilePermissions(socket.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
            String said = asStranger(socket.toString());
            assertTrue(said.startsWith("nothing: "), said);
            assertFalse(said.contains("Permission denied"), said);
            Files.setPosixFilePermissions(socket.getParent(), PosixFilePermissions.fromString("rwx------"));
            JobBootstrap.connect(server.address(), 1, 2, PATIENCE_MS).close();
        }
    }

    /** Needs no library but Sluice: another user may not read the folder with all others. */
    static final class Neighbour {
        private Neighbour() {}

        public static void main(String[] args) {
            try (Device device = Device.open()) {
                int[] theirs = new int[1];
                device.send(new int[] {device.rank()}, 1 - device.rank(), 1);
                device.recv(theirs, 1 - device.rank(), 1);
                System.out.println("rank " + device.rank() + " received " + theirs[0]);
            }
        }
    }

    /** A job of two. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), Neighbour.class.getName());
            JvmExit.with(new Launcher(2, program)
                    .jvmOptions(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
                    .start()
                    .waitFor()
                    .status());
        }
    }

    @Test
    void aJobNeedsNoLoopback() throws Exception {
        Path output = folder.resolve("output");
        Process probe = new ProcessBuilder("unshare", "-n", "true")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assumeTrue(probe.waitFor() == 0, "this user can't unshare the network");
        assertJobRuns(new ProcessBuilder(
                "unshare",
                "-n",
                JavaHome.current().command(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    }

    /** As in a container that an ordinary user starts: there /tmp belongs to nobody who is known. */
    @Test
    void aJobRunsWhereRootIsUnknown() throws Exception {
        OtherUser owner = OtherUser.owner();
        assumeCanRead(owner);
        assumeTrue(owner.shell("unshare -Ur true").status == 0, "users can't make namespaces of users here");
        assertEquals("65534\n", owner.shell("unshare -Ur stat -c %u /tmp").output);
        assertJobRuns(owner.command(
                "unshare",
                "-Ur",
                JavaHome.current().command(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    }

    private void assertJobRuns(ProcessBuilder builder) throws Exception {
        Path output = folder.resolve("output");
        Process job = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(job.waitFor(60, TimeUnit.SECONDS), "the job lives on");
            String said = Files.readString(output);
            assertEquals(0, job.exitValue(), said);
            assertTrue(said.contains("rank 0 received 1") && said.contains("rank 1 received 0"), said);
        } finally {
            job.descendants().forEach(ProcessHandle::destroyForcibly);
            job.destroyForcibly();
        }
    }
}
