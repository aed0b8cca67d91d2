package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.launch.JavaHome;

/** {@code ./sluice run --listen}, and a rank that is started as it would be on another node. */
@Timeout(120)
final class ListenProcessTest {
    private static final String HOST = "127.0.0.2";
    private static final String SECRET = "0f1e2d3c4b5a6978";
    private static final List<String> PROGRAM =
            List.of("-cp", System.getProperty("sluice.root") + "/bench/target/test-classes", "example.hello.Hello");

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    private Process sluice(String output, Map<String, String> environment, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command(), "-XX:TieredStopAtLevel=1"));
        command.addAll(JavaHome.current().flags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(output).toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private String end(String output, Process process) throws Exception {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> output + " does not end");
        return process.exitValue() + " "
                + Files.readString(folder.resolve(output)).strip();
    }

    @AfterEach
    void endAll() {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return any.getLocalPort();
        }
    }

    private static void awaitListening(int port) throws InterruptedException {
        for (int tries = 0; ; tries++) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(HOST, port));
                return;
            } catch (IOException e) {
                assertTrue(tries < 600, "nobody listens");
                Thread.sleep(50);
            }
        }
    }

    private String secret(String text) throws IOException {
        return Files.writeString(
                        Files.createTempFile(
                                folder,
                                "secret",
                                "",
                                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
                        text + "\n")
                .toString();
    }

    private static Map<String, String> elsewhere(int port, String secretFile) {
        return Map.of(
                "SLUICE_JOB_ADDRESS",
                HOST + ":" + port,
                "SLUICE_JOB_SECRET_FILE",
                secretFile,
                "SLUICE_JOB_SIZE",
                "2",
                "SLUICE_JOB_RANK",
                "1");
    }

    @Test
    void aRankFromElsewhereFindsTheJobByAddressAndSecret() throws Exception {
        int port = freePort();
        List<String> run = new ArrayList<>(List.of("run", "-n", "2", "--here", "1", "--listen", HOST + ":" + port));
        run.addAll(PROGRAM);
        // As the first task of a step whose others are ranks that come from elsewhere.
        Process job = sluice("job", Map.of("SLUICE_JOB_SECRET_FILE", secret(SECRET), "SLURM_STEP_NUM_TASKS", "2"), run);
        awaitListening(port);
        assertNobodyHasItInItsEnvironment(job);
        List<String> exec = new ArrayList<>(List.of("exec"));
        exec.addAll(PROGRAM);
        String stranger = end("stranger", sluice("stranger", elsewhere(port, secret("not the secret of it")), exec));
        assertTrue(stranger.startsWith("1 ") && stranger.contains("SLUICE_JOB_SECRET_FILE"), stranger);
        assertEquals("0 3 doubles from rank 0", end("rank", sluice("rank", elsewhere(port, secret(SECRET)), exec)));
        assertEquals("0", end("job", job).strip());
    }

    /** A flight recording, which others may read, holds it. */
    private static void assertNobodyHasItInItsEnvironment(Process job) throws Exception {
        List<ProcessHandle> ranks = job.descendants().toList();
        for (int tries = 0; ranks.isEmpty(); tries++) {
            assertTrue(tries < 600 && job.isAlive(), "no rank is started");
            Thread.sleep(50);
            ranks = job.descendants().toList();
        }
        for (ProcessHandle process :
                Stream.concat(Stream.of(job.toHandle()), ranks.stream()).toList()) {
            String environment = environment(process);
            // While it becomes another program it has none.
            for (int tries = 0; !environment.contains("SLUICE_JOB_SECRET_FILE="); tries++) {
                assertTrue(tries < 600, environment);
                Thread.sleep(50);
                environment = environment(process);
            }
            assertFalse(environment.contains(SECRET), environment);
        }
    }

    private static String environment(ProcessHandle process) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), "environ"), StandardCharsets.ISO_8859_1);
    }

    @Test
    void whatRunNeedsForItIsSaid() throws Exception {
        List<String> here = new ArrayList<>(List.of("run", "-n", "2", "--here", "1"));
        here.addAll(PROGRAM);
        String said = end("here", sluice("here", Map.of(), here));
        assertTrue(said.startsWith("2 sluice: --here 1") && said.contains("--listen HOST:PORT"), said);
        List<String> noToken = new ArrayList<>(List.of("run", "-n", "2", "--listen", HOST + ":0"));
        noToken.addAll(PROGRAM);
        said = end("token", sluice("token", Map.of(), noToken));
        assertTrue(said.contains("SLUICE_JOB_SECRET_FILE") && !said.contains("\tat "), said);
    }

    @Test
    void inAStepOfAnotherLauncherAJobForEachProcessIsRefused() throws Exception {
        List<String> run = new ArrayList<>(List.of("run", "-n", "3"));
        run.addAll(PROGRAM);
        String said = end(
                "refused",
                sluice(
                        "refused",
                        Map.of("OMPI_COMM_WORLD_SIZE", "2", "PMIX_NAMESPACE", "1234.1", "PMIX_RANK", "1"),
                        run));
        assertTrue(
                said.startsWith("2 sluice: run is given in one of several processes of another launcher"
                        + " (OMPI_COMM_WORLD_SIZE=2)"),
                said);
        assertTrue(said.contains("mpirun -n 3 ./sluice exec") && said.lines().count() == 1, said);
        run.set(2, "2");
        assertEquals(
                "0 3 doubles from rank 0",
                end("wanted", sluice("wanted", Map.of("OMPI_COMM_WORLD_SIZE", "2", "SLUICE_JOB_SIZE", "1"), run)));
    }
}
