package org.sluice.mpi.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Files against plain arrays. */
final class SharedFileModelTest {
    private static final int RANKS = 4;
    private static final int SEEDS = 4;
    private static final int STEPS = 70;

    @TempDir
    Path folder;

    @Test
    void amongThreads() throws Exception {
        run(Place.THREADS, 1);
    }

    @Test
    void throughSharedMemory() throws Exception {
        run(Place.SHM, 101);
    }

    private void run(Place place, long firstSeed) throws Exception {
        try (CommunicatorJob job = new CommunicatorJob(RANKS, place)) {
            for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
                Path path = folder.resolve("file-" + seed);
                long now = seed;
                try {
                    job.run(world -> new FileModelRank(world, now, path).run(STEPS));
                } catch (AssertionError e) {
                    throw new AssertionError("with seed " + seed + ": " + e.getMessage(), e);
                }
            }
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(SEEDS, left.count(), "files of shared pointers are left");
        }
    }
}
