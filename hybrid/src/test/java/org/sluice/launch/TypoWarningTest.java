package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.Device;

/** Who says that an option's name was misspelt, and how often. */
@Tag("once")
@Timeout(90)
final class TypoWarningTest {
    @TempDir
    private Path folder;

    /** Opens twice. */
    static final class Opening {
        private Opening() {}

        public static void main(String[] args) {
            for (int i = 0; i < 2; i++) {
                try (Device device = Device.open()) {
                    System.out.println("rank " + device.rank());
                } catch (IllegalArgumentException e) {
                    System.out.println("refused");
                }
            }
        }
    }

    private List<String> output(Map<String, String> environment, String... flags) throws Exception {
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command(), "-XX:TieredStopAtLevel=1"));
        command.addAll(JavaHome.current().flags());
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Opening.class.getName()));
        Path output = folder.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> "it does not end: " + command);
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output);
    }

    @Test
    void aJvmWithoutOurLauncherSaysItOnce() throws Exception {
        assertEquals(
                List.of(
                        "sluice: system property sluice.progres is no option of Sluice; did you mean"
                                + " sluice.progress.threads?",
                        "sluice: environment variable SLUICE_PEAK is no option of Sluice; did you mean SLUICE_PEEK?",
                        "rank 0",
                        "rank 0"),
                output(Map.of("SLUICE_PEAK", "on"), "-Dsluice.progres=1"));
    }

    @Test
    void alsoWhereTheJobCannotBeFoundForIt() throws Exception {
        assertEquals(
                List.of(
                        "sluice: environment variable SLUICE_JOB_ADRESS is no option of Sluice; did you mean"
                                + " SLUICE_JOB_ADDRESS?",
                        "refused",
                        "refused"),
                output(Map.of("SLUICE_JOB_SIZE", "2", "SLUICE_JOB_ADRESS", "localhost:1")));
    }

    /** It has said so itself; and a job of another launcher's has one process that does. */
    @Test
    void ranksOfOurLauncherLeaveItToThat() throws Exception {
        List<String> lines = new ArrayList<>();
        Program program = Program.ofClassPath(System.getProperty("java.class.path"), Opening.class.getName());
        JobResult result = new Launcher(2, program)
                .jvmOptions(List.of("-Dsluice.progres=1"))
                .output(RankOutput.captured((rank, error, line) -> {
                    synchronized (lines) {
                        lines.add(line);
                    }
                }))
                .start()
                .waitFor();
        assertEquals(0, result.status(), lines.toString());
        assertEquals(
                List.of("rank 0", "rank 0", "rank 1", "rank 1"),
                lines.stream().sorted().toList());
    }
}
