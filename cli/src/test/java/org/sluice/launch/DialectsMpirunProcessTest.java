package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs of either dialect under a real mpirun: by java with a jar of Sluice's alone, and by exec. */
@Tag("once")
@Timeout(120)
final class DialectsMpirunProcessTest extends MpirunJobs {
    private static final Path CHECKOUT =
            Path.of(System.getProperty("sluice.root", "..")).toAbsolutePath().normalize();
    private static final Path MPI = CHECKOUT.resolve(".build/lib/mpi");

    private static final String OF_OPENMPI = """
            public class Main {
                public static void main(String[] args) throws Exception {
                    mpi.MPI.Init(args);
                    int[] sum = {mpi.MPI.COMM_WORLD.getRank() + 1};
                    mpi.MPI.COMM_WORLD.allReduce(sum, 1, mpi.MPI.INT, mpi.MPI.SUM);
                    System.out.println("rank " + mpi.MPI.COMM_WORLD.getRank() + " has " + sum[0] + " " + args.length);
                    if (args.length > 0 && mpi.MPI.COMM_WORLD.getRank() == 1) {
                        mpi.MPI.COMM_WORLD.abort(Integer.parseInt(args[0]));
                    }
                    mpi.MPI.COMM_WORLD.barrier();
                    mpi.MPI.Finalize();
                }
            }
            """;
    private static final String OF_MPIJAVA = """
            public class Main {
                private static int begun;

                public static void main(String[] args) {
                    String[] own = mpi.MPI.Init(args);
                    System.out.println("rank " + mpi.MPI.COMM_WORLD.Rank() + " words " + String.join(",", args)
                            + " own " + String.join(",", own) + " begun " + ++begun);
                    mpi.MPI.Finalize();
                }
            }
            """;

    private Path compile(String source, String dialect) throws Exception {
        Path jar = MPI.resolve(dialect);
        assumeTrue(Files.isRegularFile(jar), jar + " is missing: ./sluice --version builds it");
        Path file = Files.writeString(folder.resolve("Main.java"), source);
        String[] words = {"-nowarn", "-d", folder.toString(), "-cp", jar.toString(), file.toString()};
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words));
        return jar;
    }

    private List<String> java(Path jar, String... words) {
        String classPath = jar + ":" + folder;
        List<String> command = java("Main", words);
        command.set(command.indexOf(System.getProperty("java.class.path")), classPath);
        // The archive is of another class path.
        command.removeIf(word -> word.startsWith("-XX:SharedArchiveFile") || word.startsWith("-Xlog:cds"));
        return command;
    }

    @Test
    void openmpiByJavaAloneAndItsAbort() throws Exception {
        Path jar = compile(OF_OPENMPI, "sluice-openmpi.jar");
        assertEquals(0, run(List.of("-n", "2"), java(jar)), this::text);
        assertEquals(new TreeSet<>(List.of("rank 0 has 3 0", "rank 1 has 3 0")), lines("rank"));
        assertEquals(9, run(List.of("-n", "2"), java(jar, "9")), this::text);
        assertTrue(output().contains("sluice: rank 1 aborted the job: abort(9)"), this::text);
    }

    @Test
    void mpijavaByJavaAlone() throws Exception {
        Path jar = compile(OF_MPIJAVA, "sluice-mpijava.jar");
        assertEquals(0, run(List.of("-n", "2"), java(jar, "x")), this::text);
        assertEquals(
                new TreeSet<>(List.of("rank 0 words x own x begun 1", "rank 1 words x own x begun 1")), lines("rank"));
    }

    /** Two processes with two ranks each, whose static state is their own. */
    @Test
    void mpijavaByExecAsThreads() throws Exception {
        compile(OF_MPIJAVA, "sluice-mpijava.jar");
        String sluice = CHECKOUT.resolve("sluice").toString();
        List<String> exec = List.of(sluice, "exec", "--ranks", "2", "-cp", folder.toString(), "Main", "x");
        assertEquals(0, run(List.of("-n", "2"), exec), this::text);
        TreeSet<String> wanted = new TreeSet<>();
        for (int rank = 0; rank < 4; rank++) {
            wanted.add("rank " + rank + " words " + rank + ",4,sluice,x own x begun 1");
        }
        assertEquals(wanted, lines("rank"), this::text);
    }
}
