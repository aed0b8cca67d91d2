package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of either dialect under run, exec and mpjrun.sh: nobody names the jar that they need. */
@Timeout(120)
@Tag("once")
final class DialectsProcessTest {
    private static final Path MPJ = BuiltProgram.LIB.resolve("mpj.jar");
    private static final Path OPENMPI = BuiltProgram.LIB.resolve("mpi/sluice-openmpi.jar");

    private static final String OF_MPIJAVA = """
            import mpi.MPI;

            public class Main {
                private static int begun;

                public static void main(String[] args) throws Exception {
                    String[] own = MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    int[] sum = new int[1];
                    MPI.COMM_WORLD.Allreduce(new int[] {rank + 1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    System.out.println("rank " + rank + " sum " + sum[0] + " begun " + ++begun + " words "
                            + String.join(",", args) + " own " + String.join(",", own));
                    if (own[0].equals("read")) {
                        System.out.println("rank " + rank + " reads " + new java.util.Scanner(System.in).hasNextLine());
                    }
                    if (own[0].equals("throw") && rank == 1) {
                        throw new IllegalStateException("wrong");
                    }
                    if (own[0].equals("throw")) {
                        MPI.COMM_WORLD.Recv(sum, 0, 1, MPI.INT, 1, 1);
                    }
                    MPI.Finalize();
                }
            }
            """;

    private static final String OF_OPENMPI = """
            import mpi.MPI;

            public class Main {
                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.getRank();
                    int[] sum = {rank + 1};
                    MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
                    System.out.println("rank " + rank + " sum " + sum[0] + " words " + String.join(",", args));
                    if (args[0].equals("abort") && rank == 1) {
                        MPI.COMM_WORLD.abort(Integer.parseInt(args[1]));
                    }
                    MPI.COMM_WORLD.barrier();
                    MPI.Finalize();
                }
            }
            """;

    @TempDir
    private static Path folder;

    private static BuiltProgram program;
    private static String mpijava;
    private static String openmpi;

    @BeforeAll
    static void compile() throws Exception {
        program = new BuiltProgram(folder);
        mpijava = program.compile("a", "Main.java", OF_MPIJAVA, "-cp", MPJ.toString())
                .toString();
        openmpi = program.compile("b", "Main.java", OF_OPENMPI, "-cp", OPENMPI.toString())
                .toString();
    }

    private static void assertPrinted(BuiltProgram.Ended ended, String... lines) {
        assertEquals(
                new TreeSet<>(List.of(lines)), new TreeSet<>(ended.out().lines().toList()), ended.toString());
        assertEquals(0, ended.status(), ended.toString());
    }

    @Test
    void mpijavaInProcessesGetsItsArgumentsBehindThree() throws Exception {
        assertPrinted(
                program.run("-n", "2", "-cp", mpijava, "Main", "x", "y"),
                "rank 0 sum 3 begun 1 words 0,2,sluice,x,y own x,y",
                "rank 1 sum 3 begun 1 words 1,2,sluice,x,y own x,y");
    }

    /** So that Init is quick. */
    @Test
    void classesOfADialectComeFromItsArchive() throws Exception {
        for (String classes : List.of(mpijava, openmpi)) {
            Path loads = folder.resolve("loads-of-" + Path.of(classes).getFileName());
            BuiltProgram.Ended ended =
                    program.run("-n", "1", "-Xlog:class+load=info:file=" + loads, "-cp", classes, "Main", "x");
            assertEquals(0, ended.status(), ended.toString());
            List<String> ofMpi = Files.readAllLines(loads).stream()
                    .filter(line -> line.contains(" mpi."))
                    .toList();
            assertTrue(ofMpi.size() > 10, ofMpi::toString);
            assertEquals(
                    List.of(),
                    ofMpi.stream()
                            .filter(line -> !line.contains(" source: shared objects file"))
                            .filter(line -> !line.contains("Lambda"))
                            .toList());
        }
    }

    /** The static field is each one's own. */
    @Test
    void mpijavaInThreadsHasLoadersOfItsOwnAndRankZeroReads() throws Exception {
        assertPrinted(
                program.run("-n", "2", "--jvms", "1", "-cp", mpijava, "Main", "read"),
                "rank 0 sum 3 begun 1 words 0,2,sluice,read own read",
                "rank 1 sum 3 begun 1 words 1,2,sluice,read own read",
                "rank 0 reads false",
                "rank 1 reads false");
    }

    @Test
    void openmpiGetsItsArgumentsAsTheyAre() throws Exception {
        assertPrinted(
                program.run("-n", "2", "-cp", openmpi, "Main", "x"), "rank 0 sum 3 words x", "rank 1 sum 3 words x");
    }

    /** Classes of a package mpi that would end in an error. */
    @Test
    void aFatJarsPackageGivesWayUnlessItIsKept() throws Exception {
        Path others = program.compile(
                "others",
                "MPI.java",
                "package mpi; public class MPI { public static String[] Init(String[] a) {"
                        + " throw new IllegalStateException(\"the other one's\"); } }");
        Files.walk(Path.of(mpijava)).filter(Files::isRegularFile).forEach(file -> copy(file, others));
        String fat = program.jar("fat.jar", others).toString();
        BuiltProgram.Ended replaced = program.run("-n", "1", "-cp", fat, "Main", "x");
        assertPrinted(replaced, "rank 0 sum 1 begun 1 words 0,1,sluice,x own x");
        assertEquals(1, replaced.err().lines().count(), replaced.err());
        assertTrue(replaced.err().contains("sluice: the package mpi in " + fat + " gives way"), replaced.err());
        BuiltProgram.Ended kept = program.run("--mpi", "none", "-n", "1", "-cp", fat, "Main", "x");
        assertTrue(kept.status() == 1 && kept.err().contains("the other one's"), kept.toString());
    }

    private static void copy(Path file, Path folder) {
        try {
            Files.copy(file, folder.resolve(file.getFileName()));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void abortEndsTheJobWithTheLowestBitsOfItsStatus() throws Exception {
        BuiltProgram.Ended ended = program.run("-n", "2", "-cp", openmpi, "Main", "abort", "263");
        assertEquals(7, ended.status(), ended.toString());
        assertTrue(ended.err().contains("sluice: rank 1 aborted the job: abort(263)"), ended.err());
    }

    /** The other one waits for a message of it. */
    @Test
    void anExceptionInOneRankEndsTheJobWithItsRankInThreadsToo() throws Exception {
        BuiltProgram.Ended ended = program.run("-n", "2", "--jvms", "1", "-cp", mpijava, "Main", "throw");
        assertEquals(1, ended.status(), ended.toString());
        assertTrue(ended.err().contains("Exception in rank 1 java.lang.IllegalStateException: wrong"), ended.err());
        assertTrue(ended.err().lines().reduce((a, b) -> b).orElse("").startsWith("sluice: rank 1 "), ended.err());
    }

    @Test
    void execGivesTheDialectInPlace() throws Exception {
        assertPrinted(
                program.exec("-cp", mpijava + ":" + MPJ, "Main", "x"), "rank 0 sum 1 begun 1 words 0,1,sluice,x own x");
        assertPrinted(program.exec("-cp", openmpi, "Main", "x"), "rank 0 sum 1 words x");
    }

    @Test
    void underMpjExpressTheProgramRunsOnDebians() throws Exception {
        Path jar = Path.of("/usr/share/java/mpj.jar");
        assumeTrue(Files.exists(jar), "needs " + jar + ", of Debian's libmpj-java");
        assertPrinted(
                program.run("--under-mpj-express", "-n", "2", "-cp", mpijava, "Main", "x"),
                "rank 0 sum 3 begun 1 words 0,2,mxdev,x own x",
                "rank 1 sum 3 begun 1 words 1,2,mxdev,x own x");
        BuiltProgram.Ended ended =
                program.run("--under-mpj-express", "--mpi", "mpijava", "-n", "2", "-cp", mpijava, "Main");
        assertTrue(ended.status() == 2 && ended.err().contains("exclude each other"), ended.toString());
    }

    /** Of a class that no class file names. */
    @Test
    void aPackageThatIsMissedIsSaidWithWhatGivesIt() throws Exception {
        String source = "public class Main { public static void main(String[] args) throws Exception {"
                + " ((Runnable) Class.forName(\"Worker\").getDeclaredConstructor().newInstance()).run(); } }"
                + " class Worker implements Runnable { public void run() { mpi.MPI.Init(new String[0]);"
                + " System.out.println(\"rank \" + mpi.MPI.COMM_WORLD.Rank()); mpi.MPI.Finalize(); } }";
        String classes =
                program.compile("c", "Main.java", source, "-cp", MPJ.toString()).toString();
        for (String[] words : new String[][] {{"-n", "1"}, {"-n", "1", "--mpi", "openmpi"}}) {
            List<String> all = new ArrayList<>(List.of(words));
            all.addAll(List.of("-cp", classes, "Main"));
            BuiltProgram.Ended missed = program.run(all.toArray(String[]::new));
            assertEquals(1, missed.status(), missed.toString());
            assertTrue(missed.err().contains("sluice run --mpi mpijava"), missed.err());
        }
        assertPrinted(program.run("-n", "1", "--mpi", "mpijava", "-cp", classes, "Main"), "rank 0");
    }

    @Test
    void plainJavaHasTheProgramsArgumentsAlone() throws Exception {
        assertPrinted(program.java("-cp", mpijava + ":" + MPJ, "Main", "x"), "rank 0 sum 1 begun 1 words x own x");
        assertPrinted(
                program.java("-cp", mpijava + ":" + MPJ, "Main", "0", "x", "native"),
                "rank 0 sum 1 begun 1 words 0,x,native own 0,x,native");
        // What MPJ Express wants under mpirun.
        assertPrinted(
                program.java("-cp", mpijava + ":" + MPJ, "Main", "0", "0", "native", "x"),
                "rank 0 sum 1 begun 1 words 0,0,native,x own x");
    }
}
