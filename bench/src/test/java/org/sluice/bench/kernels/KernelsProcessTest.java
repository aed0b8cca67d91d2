package org.sluice.bench.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.bench.plan.Route;
import org.sluice.launch.JavaHome;

/** Kernels of class S find the official results, whatever the number of ranks and the way between them. */
final class KernelsProcessTest {
    @ParameterizedTest
    @CsvSource({"THREADS, 1", "THREADS, 2", "THREADS, 4", "SHM, 2"})
    void resultsAreTheOfficialOnes(Route route, int ranks) throws InterruptedException {
        List<NasKernel> kernels = List.of(NasKernel.values());
        List<KernelReading> readings =
                new KernelJob(JavaHome.current(), route, ranks).readings(false, ProblemClass.S, kernels);
        assertEquals(kernels, readings.stream().map(KernelReading::kernel).toList());
        for (KernelReading reading : readings) {
            assertTrue(reading.isVerified() && reading.mops() > 0, reading::toString);
        }
    }
}
