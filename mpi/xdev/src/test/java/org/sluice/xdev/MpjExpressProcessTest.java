package org.sluice.xdev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;

/** Programs under Debian's MPJ Express, whose device is Sluice. */
@Timeout(90)
final class MpjExpressProcessTest {
    @TempDir
    static Path programs;

    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void compile() throws Exception {
        MpjExpress.assumeInstalled();
        MpjExpress.compile("src/test/mpj", programs, MpjExpress.JAR.toString());
    }

    private JobResult run(int ranks, int jvms, String main, String argument) throws Exception {
        String classPath = String.join(
                ":",
                MpjExpress.classes().toString(),
                MpjExpress.JAR.toString(),
                MpjExpress.LOGGING.toString(),
                programs.toString());
        return new Launcher(ranks, Program.ofClassPath(classPath, "xdev.mxdev.Start"))
                .jvms(jvms)
                .ownLoaders(jvms < ranks)
                .environment("MPJ_HOME", MpjExpress.HOME)
                .arguments(List.of("example.xdev." + main, argument))
                .graceSeconds(0)
                .messages(errors::add)
                .output(RankOutput.captured((rank, error, line) -> (error ? errors : output).add(line)))
                .start()
                .waitFor();
    }

    @ParameterizedTest
    @CsvSource({"4, 4", "3, 1"})
    void theTourIsRightAtEachRank(int ranks, int jvms) throws Exception {
        JobResult result = run(ranks, jvms, "Tour", "its own");
        assertEquals(0, result.status(), errors.toString());
        List<String> expected = IntStream.range(0, ranks)
                .mapToObj(rank -> "rank " + rank + " of " + ranks + " is done")
                .toList();
        assertEquals(expected, output.stream().sorted().toList(), errors.toString());
    }

    @Test
    void wrongCallsAreTold() throws Exception {
        JobResult result = run(1, 1, "Wrong", "calls");
        assertEquals(0, result.status(), errors.toString());
        List<String> words = List.of(
                "is MPI.ANY_TAG",
                "collectives of an Intercomm",
                "is none of the 1 ranks of this job",
                "MPI.Init was called before",
                "objects have come for a receive of another datatype");
        List<String> told = List.copyOf(output);
        assertEquals(words.size(), told.size(), told.toString());
        for (int i = 0; i < words.size(); i++) {
            assertTrue(told.get(i).contains(words.get(i)), told.get(i));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "without, 0, ''",
        "dies, 1, rank 1 has had enough",
        "rank, 1, the arguments say that this is rank 7",
    })
    void aJobEndsWithItsRanks(String what, int status, String words) throws Exception {
        JobResult result = run(2, 2, "Wrong", what);
        assertEquals(status, result.status(), errors.toString());
        assertTrue(errors.toString().contains(words), errors.toString());
    }

    /** MPJ Express takes a new Status from a receive, which has 48 bytes. */
    @ParameterizedTest
    @CsvSource({"2", "1"})
    void blockingCallsAllocateAStatusAlone(int jvms) throws Exception {
        JobResult result = run(2, jvms, "Wrong", "allocation");
        assertEquals(0, result.status(), errors.toString());
        assertEquals(2, output.size(), output.toString());
        for (String line : output) {
            String[] bytes = line.split(" ");
            assertTrue(Integer.parseInt(bytes[0]) <= 8 && Integer.parseInt(bytes[1]) <= 64, output.toString());
        }
    }
}
