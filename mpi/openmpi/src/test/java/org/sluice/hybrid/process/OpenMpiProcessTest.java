package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A program in Open MPI's dialect, a JVM for each rank: it finds its job by itself. */
@Timeout(60)
final class OpenMpiProcessTest {
    private static final long PATIENCE_MS = 50_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @TempDir
    Path folder;

    @Test
    void beginsAndEndsByItself() throws Exception {
        Path file = folder.resolve("numbers");
        ranks.flag("-D" + OpenMpiRanks.FILE + "=" + file).startAll(3, OpenMpiRanks.class);
        ranks.allEndWell(PATIENCE_MS);
        assertEquals(3 * OpenMpiRanks.COUNT * Integer.BYTES, Files.size(file));
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(1, left.count());
        }
    }

    @Test
    void abortEndsWithItsStatus() throws Exception {
        ranks.startAll(2, OpenMpiRanks.class, "abort");
        assertEquals(7, ranks.rank(0).exit(PATIENCE_MS));
        assertEquals(1, ranks.rank(1).exit(PATIENCE_MS));
    }

    @Test
    void aBroadcastOfOneRankAloneIsFound() throws Exception {
        ranks.startAll(2, OpenMpiRanks.class, "alone");
        int first = ranks.rank(0).exit(PATIENCE_MS);
        int second = ranks.rank(1).exit(PATIENCE_MS);
        String said = ranks.rank(0).output() + ranks.rank(1).output();
        assertNotEquals(0, first + second, said);
        assertTrue(said.contains("calls MPI.Finalize") && said.contains("calls bcast"), said);
    }

    /** What Sluice's own communicators would have isn't there. */
    @Test
    void whoOutlivesAnotherIsToldWhatItCanDo() throws Exception {
        ranks.startAll(2, OpenMpiRanks.class, "dies");
        assertEquals(3, ranks.rank(1).exit(PATIENCE_MS));
        assertNotEquals(0, ranks.rank(0).exit(PATIENCE_MS));
        String said = ranks.rank(0).output();
        assertTrue(said.contains("This job can only end") && !said.contains("shrink()"), said);
    }

    /** The other one would close meanwhile, and end it so. */
    @Test
    void aReceiveThatNothingComesForIsTold() throws Exception {
        ranks.startAll(2, OpenMpiRanks.class, "waits");
        assertNotEquals(0, ranks.rank(0).exit(PATIENCE_MS));
        assertEquals(0, ranks.rank(1).exit(PATIENCE_MS), ranks.rank(1)::output);
        String said = ranks.rank(0).output();
        assertTrue(said.contains("1 request(s) were begun that nobody completes"), said);
    }

    @Test
    void fatalErrorsEndTheRank() throws Exception {
        ranks.startAll(1, OpenMpiRanks.class, "fatal");
        assertNotEquals(0, ranks.rank(0).exit(PATIENCE_MS));
        String said = ranks.rank(0).output();
        assertTrue(said.contains("rank 5 is out of range"), said);
    }
}
