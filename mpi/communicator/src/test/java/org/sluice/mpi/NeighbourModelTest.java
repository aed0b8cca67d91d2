package org.sluice.mpi;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Neighbourhood collectives on random grids, graphs and distributed graphs, against a model. */
final class NeighbourModelTest {
    private static final int ROUNDS = 40;

    @ParameterizedTest(name = "{0} ranks, {1}")
    @CsvSource({
        "1, THREADS",
        "2, THREADS",
        "5, THREADS",
        "12, THREADS",
        "2, SHM",
        "4, SHM",
        "6, SHM",
        "5, MIXED",
        "8, MIXED"
    })
    void resultsAreTheModels(int ranks, Place place) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(120, world -> new NeighbourModelRank(world, seed).run(ROUNDS));
        }
    }

    @ParameterizedTest(name = "{0} ranks, {1}, {2}")
    @CsvSource({"6, MIXED, mpi.check=full"})
    void resultsAreTheModelsByOption(int ranks, Place place, String option) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        String[] words = option.split("=");
        try (CommunicatorJob job = new CommunicatorJob(ranks, place, Map.of("sluice." + words[0], words[1]))) {
            job.run(120, world -> new NeighbourModelRank(world, seed).run(ROUNDS / 2));
        }
    }
}
