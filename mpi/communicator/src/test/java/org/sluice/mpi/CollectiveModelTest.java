package org.sluice.mpi;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Collectives of random kinds, types, buffers, roots and communicators, against a model. */
final class CollectiveModelTest {
    private static final int CALLS = 150;

    @ParameterizedTest(name = "{0} ranks, {1}")
    @CsvSource({
        "1, THREADS",
        "2, THREADS",
        "3, THREADS",
        "5, THREADS",
        "8, THREADS",
        "16, THREADS",
        "2, SHM",
        "4, SHM",
        "7, SHM",
        "5, MIXED",
        "8, MIXED"
    })
    void resultsAreTheModels(int ranks, Place place) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(120, world -> new ModelRank(world, seed).storm(CALLS));
        }
    }

    @ParameterizedTest(name = "{0} ranks, {1}, {2}")
    @CsvSource({"5, MIXED, mpi.check=full", "6, MIXED, mpi.deterministic=on"})
    void resultsAreTheModelsByOption(int ranks, Place place, String option) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        String[] words = option.split("=");
        try (CommunicatorJob job = new CommunicatorJob(ranks, place, Map.of("sluice." + words[0], words[1]))) {
            job.run(120, world -> new ModelRank(world, seed).storm(CALLS / 2));
        }
    }
}
