package org.sluice.mpi;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;
import org.sluice.mpi.algorithm.Choice;

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
        "8, MIXED",
        "6, TCP"
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

    /**
     * Each algorithm of each collective, whatever the table says: those that are named first for their collectives,
     * then the second, and so on.
     */
    @ParameterizedTest(name = "{0} ranks, {1}, algorithm {2}")
    @CsvSource({
        "2, SHM, 0",
        "2, THREADS, 0",
        "2, THREADS, 1",
        "2, THREADS, 2",
        "2, THREADS, 3",
        "2, SHM, 4",
        "5, MIXED, 0",
        "5, THREADS, 0",
        "5, THREADS, 1",
        "5, THREADS, 2",
        "5, SHM, 3",
        "5, THREADS, 4",
        "8, MIXED, 0",
        "8, SHM, 1",
        "8, THREADS, 2",
        "8, MIXED, 3",
        "8, THREADS, 4",
        "13, THREADS, 0",
        "13, THREADS, 2",
        "13, THREADS, 4"
    })
    void resultsAreTheModelsByEachAlgorithm(int ranks, Place place, int which) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        Map<String, String> options = new HashMap<>();
        for (Option option : Choice.options()) {
            List<String> names = option.words();
            options.put(option.property(), names.get(which % names.size()));
        }
        try (CommunicatorJob job = new CommunicatorJob(ranks, place, options)) {
            job.run(120, world -> new ModelRank(world, seed).storm(CALLS));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ", " + options, e);
        }
    }
}
