package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.hybrid.process.ProcessGroup;
import org.sluice.jni.pmix.Pmix;

/** Jobs of a real Slurm, which has this machine alone and lives as long as the test. */
@Tag("once")
@Timeout(180)
final class SrunProcessTest {
    private static final Path ROOT =
            Path.of(System.getProperty("sluice.root", "..")).toAbsolutePath().normalize();
    private static final long PATIENCE_S = 150;

    @TempDir
    private Path folder;

    /** One Slurm for all, and all jobs at once: most of their time it waits. */
    private static final String SCRIPT = """
        cd "$1"
        export JDK_JAVA_OPTIONS="-Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
        ranks=org.sluice.hybrid.process.LaunchedRanks
        sbatch --wait --output=batch.out %s $ranks ring 2 &
        batch=$!
        srun --mpi=pmix -n 2 java $ranks die 1 signal >killed.out 2>&1 &
        killed=$!
        srun --mpi=pmix -n 2 java $ranks die 1 abort >aborted.out 2>&1 &
        aborted=$!
        srun --mpi=pmix -n 2 java -cp "$2:$1" Main >dialect.out 2>&1 &
        dialect=$!
        SLUICE_JOB_JVM_RANKS=2 srun --mpi=pmix -n 2 java '%s' ring 1 >threads.out 2>&1
        echo "threads: $?"
        wait $dialect
        echo "dialect: $?"
        wait $killed
        echo "killed: $?"
        wait $aborted
        echo "aborted: $?"
        wait $batch
        echo "sbatch: $?"
        """;

    /** For Open MPI's Java bindings, of which srun's programs have a jar and nothing else. */
    private static final String PROGRAM = """
        public class Main {
            public static void main(String[] args) throws Exception {
                mpi.MPI.Init(args);
                int[] sum = {mpi.MPI.COMM_WORLD.getRank() + 1};
                mpi.MPI.COMM_WORLD.allReduce(sum, 1, mpi.MPI.INT, mpi.MPI.SUM);
                System.out.println("rank " + mpi.MPI.COMM_WORLD.getRank() + " has " + sum[0]);
                mpi.MPI.Finalize();
            }
        }
        """;

    /** @return the jar that it needs */
    private Path compileProgram() throws IOException {
        Path jar = ROOT.resolve(".build/lib/mpi/sluice-openmpi.jar");
        assumeTrue(Files.isRegularFile(jar), jar + " is missing: ./sluice --version builds it");
        Path file = Files.writeString(folder.resolve("Main.java"), PROGRAM);
        String[] words = {"-nowarn", "-d", folder.toString(), "-cp", jar.toString(), file.toString()};
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words));
        return jar;
    }

    @Test
    void ranksOfSrunAndSbatchAreOneJobAndADeathEndsIt() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root, which Slurm's daemons are started by");
        for (String program : List.of("/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/srun")) {
            assumeTrue(
                    Files.exists(Path.of(program)), "needs " + program + " (munge, slurmctld, slurmd, slurm-client)");
        }
        assumeTrue(
                Path.of("/sys/fs/cgroup").toFile().list().length > 0,
                "needs a file system at /sys/fs/cgroup, without which slurmd doesn't start");
        assumeTrue(Pmix.available(), Pmix.unavailableReason());
        Path script = Files.writeString(
                folder.resolve("script"),
                SCRIPT.formatted(ROOT.resolve("docs/how-to/job.sbatch"), MpirunProcessTest.InPlace.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(
                        "setsid",
                        "bash",
                        ROOT.resolve("tools/slurm.sh").toString(),
                        "bash",
                        script.toString(),
                        folder.toString(),
                        compileProgram().toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.environment()
                .merge("PATH", Path.of(System.getProperty("java.home"), "bin") + ":", (path, java) -> java + path);
        Process slurm = builder.start();
        try {
            assertTrue(slurm.waitFor(PATIENCE_S, TimeUnit.SECONDS), this::text);
        } finally {
            slurm.destroy();
            slurm.waitFor(5, TimeUnit.SECONDS);
            new ProcessGroup(slurm).endAll();
        }
        check();
    }

    private void check() throws IOException {
        String output = Files.readString(folder.resolve("output"));
        for (String line : List.of("sbatch: 0", "threads: 0", "dialect: 0", "killed: 137", "aborted: 5")) {
            assertTrue(output.contains(line + "\n"), () -> line + " is wanted\n" + text());
        }
        assertEquals(MpirunProcessTest.ring(4, 2), ranks("batch.out"), this::text);
        assertEquals(MpirunProcessTest.ring(4, 1), ranks("threads.out"), this::text);
        assertEquals(new TreeSet<>(List.of("rank 0 has 3", "rank 1 has 3")), ranks("dialect.out"), this::text);
        assertTrue(Files.readString(folder.resolve("killed.out")).contains("task 1: Killed"), this::text);
        assertTrue(
                Files.readString(folder.resolve("aborted.out")).contains("sluice: rank 1 aborted the job: no input"),
                this::text);
    }

    private TreeSet<String> ranks(String file) throws IOException {
        TreeSet<String> found = new TreeSet<>();
        for (String line : Files.readAllLines(folder.resolve(file))) {
            if (line.startsWith("rank")) {
                found.add(line);
            }
        }
        return found;
    }

    private String text() {
        StringBuilder all = new StringBuilder();
        for (String file : List.of("output", "batch.out", "threads.out", "dialect.out", "killed.out", "aborted.out")) {
            try {
                all.append("--- ").append(file).append('\n').append(Files.readString(folder.resolve(file)));
            } catch (IOException e) {
                all.append(e).append('\n');
            }
        }
        return all.toString();
    }
}
