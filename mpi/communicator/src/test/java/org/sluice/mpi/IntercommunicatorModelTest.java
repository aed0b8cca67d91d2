package org.sluice.mpi;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.hybrid.device.CommunicatorJob;

/** Collectives of random kinds between two random groups, against a model. */
final class IntercommunicatorModelTest {
    private static final int ROUNDS = 12;
    private static final int CALLS = 25;

    @ParameterizedTest(name = "{0} ranks, {1}")
    @CsvSource({"2, THREADS", "3, THREADS", "5, THREADS", "9, THREADS", "2, SHM", "5, SHM", "6, MIXED"})
    void resultsAreTheModels(int ranks, CommunicatorJob.Place place) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(120, world -> new InterModelRank(world, seed).storm(ROUNDS, CALLS));
        }
    }
}
