package org.sluice.bench.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Route;
import org.sluice.device.tier.MoreWithAll;
import org.sluice.launch.JavaHome;

/** Kernels of class S find the official results, whatever the number of ranks and the way between them. */
@Tag("once")
final class KernelsProcessTest {
    @ParameterizedTest
    @CsvSource({"THREADS, 1", "THREADS, 2", "THREADS, 4", "THREADS, 8", "SHM, 2", "SHM, 4"})
    void resultsAreTheOfficialOnes(Route route, int ranks) throws InterruptedException {
        List<KernelName> kernels = List.of(KernelName.values());
        List<KernelReading> readings = new KernelJob(JavaHome.current(), route, ranks)
                .readings(false, new Problem(ProblemClass.S, false), kernels);
        assertEquals(kernels, readings.stream().map(KernelReading::kernel).toList());
        for (KernelReading reading : readings) {
            assertTrue(reading.isVerified() && reading.mops() > 0, reading::toString);
        }
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"SHM, 1", "SHM, 8", "THREADS, 16"})
    void soAreThoseOfMoreRanks(Route route, int ranks) throws InterruptedException {
        resultsAreTheOfficialOnes(route, ranks);
    }

    /** Ranks of one JVM and of others, and a problem that grows with them. */
    @ParameterizedTest
    @CsvSource({"HANDLER, SHM, 4, 2, true", "REQUEST, SHM, 4, 2, false"})
    @MoreWithAll("HANDLER, SHM, 3, 3, false")
    void patchesMoveByHandlersAndByRequests(Api api, Route route, int ranks, int jvms, boolean isWeak)
            throws InterruptedException {
        Problem problem = new Problem(ProblemClass.S, isWeak, api);
        KernelReading reading = new KernelJob(JavaHome.current(), route, ranks, jvms, Map.of())
                .readings(false, problem, List.of(KernelName.NBODY_PATCHES))
                .get(0);
        assertEquals(problem, reading.problem());
        assertTrue(reading.isVerified() && reading.mops() > 0, reading::toString);
    }

    @Tag("long")
    @Test
    void soTheyDoByRequestsAsTheProblemGrows() throws InterruptedException {
        patchesMoveByHandlersAndByRequests(Api.REQUEST, Route.THREADS, 8, 1, true);
    }
}
