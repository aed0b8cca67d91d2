package org.sluice.mpijava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;

/** A program for MPJ Express does the same in processes and as threads with loaders of their own. */
@Tag("once")
@Timeout(90)
final class MpijavaProcessTest {
    private final Queue<String> output = new ConcurrentLinkedQueue<>();

    private int graceSeconds;

    private JobResult run(int ranks, int jvms, boolean ownLoaders, String main, String... args) throws Exception {
        Program program = Program.ofClassPath(System.getProperty("java.class.path"), main);
        return new Launcher(ranks, program)
                .jvms(jvms)
                .ownLoaders(ownLoaders)
                .arguments(List.of(args))
                .graceSeconds(graceSeconds)
                .messages(output::add)
                .output(RankOutput.captured((rank, error, line) -> output.add(line)))
                .start()
                .waitFor();
    }

    @ParameterizedTest
    @CsvSource({"4, 4", "4, 1", "3, 1"})
    void theTourIsRightAtEachRank(int ranks, int jvms) throws Exception {
        String[] args = ranks == 3 ? new String[] {"an argument", "and another"} : new String[] {"an argument"};
        JobResult result = run(ranks, jvms, jvms < ranks, "example.mpijava.Tour", args);
        assertEquals(0, result.status(), output.toString());
        List<String> expected = IntStream.range(0, ranks)
                .mapToObj(rank -> "rank " + rank + " of " + ranks + " is done")
                .toList();
        assertEquals(expected, output.stream().sorted().toList());
    }

    @ParameterizedTest
    @CsvSource({
        "open, 1, request(s) that nobody completes",
        "abort, 17, rank 1 aborted the job: Abort(17)",
        "waits, 1, 1 request(s) that nobody completes",
        "alone, 1, calls MPI.Finalize",
        "alone, 1, calls Bcast",
    })
    void whatIsWrongEndsTheJobAndIsTold(String what, int status, String words) throws Exception {
        JobResult result = run(2, 2, false, "example.mpijava.Wrong", what);
        assertEquals(status, result.status(), output.toString());
        assertTrue(output.toString().contains(words), output.toString());
    }

    /** What Sluice's own communicators would have isn't there. */
    @Test
    void whoOutlivesAnotherIsToldWhatItCanDo() throws Exception {
        graceSeconds = 20;
        JobResult result = run(2, 2, false, "example.mpijava.Wrong", "dies");
        assertEquals(3, result.status(), output.toString());
        assertTrue(output.toString().contains("This job can only end"), output.toString());
        assertFalse(output.toString().contains("shrink()"), output.toString());
    }

    @Test
    void threadsWithoutLoadersOfTheirOwnAreTold() throws Exception {
        JobResult result = run(2, 1, false, "example.mpijava.Wrong", "none");
        assertEquals(1, result.status(), output.toString());
        assertTrue(output.toString().contains("./sluice run --jvms 1"), output.toString());
    }

    /** A receive returns a new Status, which has 56 bytes; the rest is what is allocated now and then. */
    @ParameterizedTest
    @CsvSource({"1", "2"})
    void nothingElseIsAllocatedThanWhatIsReturned(int jvms) throws Exception {
        JobResult result = run(2, jvms, jvms == 1, "example.mpijava.Allocation");
        assertEquals(0, result.status(), output.toString());
        assertEquals(4, output.size(), output.toString());
        for (String line : output) {
            long most = line.startsWith("messages") ? 64 : 8;
            assertTrue(Long.parseLong(line.substring(line.indexOf(' ') + 1)) <= most, output.toString());
        }
    }
}
