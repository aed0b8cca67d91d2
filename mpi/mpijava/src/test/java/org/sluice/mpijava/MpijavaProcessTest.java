package org.sluice.mpijava;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;

/** A program for MPJ Express does the same in processes and as threads with loaders of their own. */
@Timeout(90)
final class MpijavaProcessTest {
    @ParameterizedTest
    @CsvSource({"4, 4", "4, 1", "3, 1"})
    void theTourIsRightAtEachRank(int ranks, int jvms) throws Exception {
        Queue<String> output = new ConcurrentLinkedQueue<>();
        Program program = Program.ofClassPath(System.getProperty("java.class.path"), "example.mpijava.Tour");
        JobResult result = new Launcher(ranks, program)
                .jvms(jvms)
                .ownLoaders(jvms < ranks)
                .graceSeconds(0)
                .messages(output::add)
                .output(RankOutput.captured((rank, error, line) -> output.add(line)))
                .start()
                .waitFor();
        assertEquals(0, result.status(), output.toString());
        List<String> expected = java.util.stream.IntStream.range(0, ranks)
                .mapToObj(rank -> "rank " + rank + " of " + ranks + " is done")
                .toList();
        assertEquals(expected, output.stream().sorted().toList());
    }
}
