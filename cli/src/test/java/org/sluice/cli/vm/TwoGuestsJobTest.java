package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.cli.Main;
import org.sluice.launch.ClassArchive;
import org.sluice.launch.JavaHome;

/**
 * Runs inside each of two guests: one job of four ranks, two JVMs in each guest, started as
 * docs/how-to/several-nodes.md says. All talk to all, by shared memory within a guest and by verbs between them, with
 * no option that says so.
 */
@Tag("long")
@Tag("verbs-nodes")
@Timeout(500)
final class TwoGuestsJobTest {
    private static final String LAUNCHER = "10.9.0.1:7200";
    private static final String SECRET = "5d1c2b7e90a84f36";
    /**
     * The other guest's JVM may come here much later, and on a busy host a guest's clock was seen to run three times
     * too fast.
     */
    private static final long PATIENCE_S = 400;

    @TempDir
    private Path folder;

    private final boolean isFirst = System.getenv("SLUICE_VM_NODE").equals("0");
    private final List<Process> started = new ArrayList<>();

    private void sluice(Map<String, String> environment, String... words) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(JavaHome.current().command(), "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(JavaHome.current().flags());
        ClassArchive.of(JavaHome.current()).ifPresent(archive -> command.addAll(archive.flags()));
        command.addAll(List.of(
                "-Dsluice.home=" + System.getProperty("sluice.home", ""),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words));
        command.addAll(List.of(
                "-cp",
                Path.of(PairedRanks.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString(),
                PairedRanks.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output-" + started.size()).toFile());
        Path secret = folder.resolve("secret");
        if (started.isEmpty()) {
            Files.createFile(
                    secret, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(secret, SECRET);
        }
        builder.environment()
                .putAll(Map.of(
                        "SLUICE_JOB_SECRET_FILE",
                        secret.toString(),
                        "SLUICE_CHANNELS_SHOW",
                        "on",
                        "SLUICE_OPEN_TIMEOUT_MS",
                        "350000",
                        // A guest that gets no core of a busy host for two seconds isn't dead: 4.3 s, seven times.
                        "SLUICE_IB_ACK_TIMEOUT",
                        "20"));
        builder.environment().putAll(environment);
        started.add(builder.start());
    }

    private String output() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int process = 0; process < started.size(); process++) {
            all.append(Files.readString(folder.resolve("output-" + process)));
        }
        return all.toString();
    }

    @AfterEach
    void endAll() {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    void fourJvmsTalkBySharedMemoryWithinAGuestAndByVerbsBetween() throws Exception {
        if (isFirst) {
            sluice(
                    Map.of(),
                    "run",
                    "-n",
                    "4",
                    "--here",
                    "2",
                    "--listen",
                    LAUNCHER,
                    "-Xmx128m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC");
        } else {
            for (String rank : List.of("2", "3")) {
                sluice(Map.of("SLUICE_JOB_ADDRESS", LAUNCHER, "SLUICE_JOB_SIZE", "4", "SLUICE_JOB_RANK", rank), "exec");
            }
        }
        for (Process process : started) {
            assertTrue(process.waitFor(PATIENCE_S, TimeUnit.SECONDS), () -> "a process does not end\n" + text());
            assertEquals(0, process.exitValue(), this::text);
        }
        for (int rank = isFirst ? 0 : 2, end = rank + 2; rank < end; rank++) {
            String reaches = "sluice: rank " + rank + " of 4 reaches rank " + (rank ^ 1) + " by shm, ranks "
                    + (isFirst ? "2, 3" : "0, 1") + " by ib";
            assertTrue(output().contains(reaches), () -> "not said: " + reaches + "\n" + text());
            assertTrue(output().contains("rank " + rank + " has what all 4 sent\n"), this::text);
        }
    }

    private String text() {
        try {
            return output();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
