package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.launch.JavaHome;

/** What users of MPJ Express type, with MPJ_HOME pointing at Sluice. */
@Timeout(120)
final class MpjrunProcessTest {
    private static final Path MPJ_HOME = BuiltProgram.CHECKOUT;

    private static final String SOURCE = """
            import mpi.MPI;

            public class Main {
                private static int begun;

                public static void main(String[] args) {
                    MPI.Init(args);
                    System.out.println("rank " + args[0] + " of " + MPI.COMM_WORLD.Size() + " on " + args[2] + " has "
                            + args[3] + ", " + ++begun + ", " + System.getProperty("given"));
                    MPI.Finalize();
                }
            }
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void compile() throws Exception {
        // By the path that these users know.
        Path jar = MPJ_HOME.resolve("lib/mpj.jar");
        new BuiltProgram(folder).compile("classes", "Main.java", SOURCE, "-cp", jar.toString());
    }

    private void assertRuns(TreeSet<String> lines, String... words) throws Exception {
        File printed = folder.resolve("printed").toFile();
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.resolve("classes").toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(printed);
        builder.environment().put("MPJ_HOME", MPJ_HOME.toString());
        builder.environment().put("JAVA_HOME", JavaHome.current().home().toString());
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(100, TimeUnit.SECONDS), "it doesn't end");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        List<String> found = Files.readAllLines(printed.toPath());
        assertEquals(lines, new TreeSet<>(found));
        assertEquals(0, process.exitValue(), found::toString);
    }

    private static TreeSet<String> ranks(int size, String device, String given) {
        TreeSet<String> lines = new TreeSet<>();
        for (int rank = 0; rank < size; rank++) {
            lines.add("rank " + rank + " of " + size + " on " + device + " has x, 1, " + given);
        }
        return lines;
    }

    @Test
    void theScriptStartsThreadsWithLoadersOfTheirOwn() throws Exception {
        assertRuns(
                ranks(3, "smpdev", "it"),
                MPJ_HOME.resolve("bin/mpjrun.sh").toString(),
                "-np",
                "3",
                "-Dgiven=it",
                "-psl",
                "1000",
                "Main",
                "x");
    }

    @Test
    void theJarStartsProcesses() throws Exception {
        List<String> words = new ArrayList<>(List.of(JavaHome.current().command(), "-jar"));
        words.add(MPJ_HOME.resolve("lib/starter.jar").toString());
        words.addAll(List.of(
                "-np",
                "2",
                "-dev",
                "niodev",
                "-cp",
                MPJ_HOME.resolve("lib/mpj.jar").toString()));
        words.addAll(List.of("Main", "x"));
        assertRuns(ranks(2, "niodev", "null"), words.toArray(String[]::new));
    }
}
