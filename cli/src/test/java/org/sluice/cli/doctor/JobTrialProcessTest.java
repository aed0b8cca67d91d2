package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.option.Option;
import org.sluice.launch.JavaHome;

/** The doctor says beforehand what a job finds: under limits that a shell sets, in a process that has them. */
@Tag("once")
@Timeout(120)
final class JobTrialProcessTest {
    /** Prints what is found, one line each. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) {
            for (Finding finding : new Doctor(Map.of(), System.getenv()).examine()) {
                System.out.println(finding.level() + " " + finding.topic() + ": " + finding.text());
            }
            Finding trial = new JobTrial(Map.of()).examine();
            System.out.println(trial.level() + " " + trial.topic() + ": " + trial.text() + " -> " + trial.advice());
        }
    }

    private static String doctorAfter(String limit) throws Exception {
        return doctorBy(limit + " && exec \"$0\" \"$@\"");
    }

    /** @param shell starts the program that its words name */
    private static String doctorBy(String shell) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        "-c",
                        shell,
                        JavaHome.current().command(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .redirectErrorStream(true);
        builder.environment().put(Option.SHM_CMA.environmentVariable(), "off");
        Process doctor = builder.start();
        return new String(doctor.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String line(String output, String begin) {
        List<String> lines =
                output.lines().filter(line -> line.startsWith(begin)).toList();
        assertEquals(1, lines.size(), output);
        return lines.get(0);
    }

    @Test
    void aJobThatRunsIsSaid() {
        Finding found = new JobTrial(Map.of()).examine();
        assertEquals(Finding.Level.OK, found.level(), found.text());
        assertTrue(found.text().startsWith("a job of 2 ranks in JVMs of their own ran, in "), found.text());
    }

    /** In blocks of 512 bytes: less than the segment of one of two ranks. */
    @Test
    void filesThatMayNotGrowAreFoundByTheTrial() throws Exception {
        String output = doctorAfter("ulimit -f 4000");
        String trial = line(output, "UNUSABLE trial: ");
        assertTrue(trial.contains("failed: rank "), trial);
        assertTrue(trial.contains("exited with status 1: NO_MEMORY: the segment of rank "), trial);
        assertTrue(trial.contains("EFBIG") && trial.contains("check ulimit -f"), trial);
        assertTrue(trial.contains("-> ./sluice run will fail in the same way: look at ulimit -f (2048000)"), trial);
        assertTrue(
                line(output, "SLOWER limits: -n 8 would fail: a rank's segment is a file of ")
                        .contains("see ulimit -f"),
                output);
    }

    @Test
    void openFilesAreTriedForManyRanks() throws Exception {
        String output = doctorAfter("ulimit -n 120");
        line(output, "OK limits: memory, processes, open files and the size of files allow 8 ranks");
        assertTrue(
                line(
                                output,
                                "SLOWER limits: -n 64 would fail: the launcher of 64 ranks needs 134 more open files,"
                                        + " and ")
                        .endsWith("raise ulimit -n"),
                output);
        line(output, "OK trial: ");
    }

    @Test
    void withoutLoopbackJobsRunAndThatIsSaid() throws Exception {
        assumeTrue(
                new ProcessBuilder("unshare", "-n", "true").start().waitFor() == 0,
                "this user can't unshare the network");
        String output = doctorBy("exec unshare -n \"$0\" \"$@\"");
        assertTrue(line(output, "SLOWER loopback: ").contains("no connection to 127.0.0.1 can be made"), output);
        line(output, "OK trial: ");
    }
}
