package org.sluice.mpi;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** As {@link CollectiveModelTest}, over verbs and over all channels at once. */
@Tag("verbs")
final class CollectiveRxeTest {
    private static final int CALLS = 40;
    private static final int LIMIT_S = 150;

    @ParameterizedTest(name = "{0} ranks, {1}")
    @CsvSource({"2, IB", "3, IB", "5, ALL"})
    void resultsAreTheModels(int ranks, Place place) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(LIMIT_S, world -> new ModelRank(world, seed).storm(CALLS));
        }
    }
}
