package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.hybrid.process.ProcessGroup;
import org.sluice.jni.pmix.Pmix;

/**
 * What tests of Open MPI's mpirun share: starts a job, waits for it, reads what it printed, and ends it.
 * {@code -Dsluice.test.mpirun} is another mpirun, or PRRTE's prterun.
 */
abstract class MpirunJobs {
    private static final Path MPIRUN = Path.of(System.getProperty("sluice.test.mpirun", "/usr/bin/mpirun.openmpi"));
    /** That others live on when a rank dies and, where the launcher can, are told of it. */
    static final List<String> RECOVERY =
            isFour() ? List.of("--enable-recovery") : List.of("--runtime-options", "recoverable,notifyerrors");

    static final String RANKS = "org.sluice.hybrid.process.LaunchedRanks";
    static final long PATIENCE_S = 60L * Integer.getInteger("sluice.test.patience", 1);

    @TempDir
    Path folder;

    Process launcher;

    @BeforeEach
    void needsMpirun() {
        assumeTrue(Files.exists(MPIRUN), "needs " + MPIRUN + " (openmpi-bin)");
        assumeTrue(Pmix.available(), Pmix.unavailableReason());
    }

    @AfterEach
    void endAll() throws Exception {
        if (launcher != null) {
            new ProcessGroup(launcher).endAll();
        }
    }

    /** Open MPI 4, whose options for remote nodes the others have under other names. */
    static boolean isFour() {
        return MPIRUN.endsWith("mpirun.openmpi");
    }

    static List<String> java(String mainClass, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        if (Runtime.version().feature() >= 24) {
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        // In a guest, where to load classes takes a JVM several seconds.
        ClassArchive.of(JavaHome.current()).ifPresent(archive -> command.addAll(archive.flags()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(List.of(args));
        return command;
    }

    void start(List<String> options, List<String> program) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("setsid", MPIRUN.toString(), "--map-by", "slot:OVERSUBSCRIBE", "--bind-to", "none"));
        command.addAll(options);
        command.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        for (String project : List.of("OMPI", "PRTE")) {
            builder.environment()
                    .putAll(Map.of(project + "_ALLOW_RUN_AS_ROOT", "1", project + "_ALLOW_RUN_AS_ROOT_CONFIRM", "1"));
        }
        launcher = builder.start();
    }

    String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }

    /** The status of mpirun. */
    int run(List<String> options, List<String> program) throws Exception {
        start(options, program);
        assertTrue(launcher.waitFor(PATIENCE_S, TimeUnit.SECONDS), () -> "mpirun does not end");
        return launcher.exitValue();
    }

    TreeSet<String> lines(String beginning) throws IOException {
        TreeSet<String> found = new TreeSet<>();
        for (String line : output().split("\n")) {
            if (line.startsWith(beginning)) {
                found.add(line);
            }
        }
        return found;
    }

    String text() {
        try {
            return output();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
