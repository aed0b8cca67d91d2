package org.sluice.bench.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MemoryModelTest {
    private static MemoryReading at(int connections, long heap, long nativeBytes, long kernel) {
        return new MemoryReading(connections, heap, nativeBytes, 0, kernel);
    }

    @Test
    void aLineThroughPointsOnALine() {
        MemoryModel model = MemoryModel.of(
                List.of(at(10, 500, 0, 500), at(20, 1500, 0, 500), at(40, 2500, 500, 1000)), MemoryReading::total);
        assertEquals(100, model.perConnection(), 1e-9);
        assertEquals(0, model.spread(), 1e-9);
        assertEquals(819_100, model.ofJob(8192), 1e-6);
        assertEquals(51_100, model.ofJob(512), 1e-6);
    }

    @Test
    void whatIsOffTheLineIsTold() {
        MemoryModel model =
                MemoryModel.of(List.of(at(0, 0, 0, 0), at(1, 30, 0, 0), at(2, 0, 0, 0)), MemoryReading::own);
        assertEquals(0, model.perConnection(), 1e-9);
        assertEquals(20, model.spread(), 1e-9);
    }

    @Test
    void onePointIsNoLine() {
        assertThrows(
                IllegalArgumentException.class,
                () -> MemoryModel.of(List.of(at(5, 1, 1, 1), at(5, 2, 2, 2)), MemoryReading::heap));
    }

    @Test
    void theTableLeavesTheFirstReadingsOutOfTheLine() {
        List<MemoryReading> readings = List.of(
                at(10, 0, 0, 0),
                at(20, 900_000, 0, 0),
                at(30, 900_000, 10_000, 100_000),
                at(40, 900_000, 20_000, 200_000),
                at(50, 900_000, 30_000, 300_000),
                at(60, 900_000, 40_000, 400_000));
        List<MemoryReading> limit = readings.stream()
                .map(reading -> at(reading.connections(), 0, 2 * reading.heap(), reading.kernel() / 2))
                .toList();
        List<String> lines = MemoryTable.of(8, readings, limit)
                .lines()
                .map(line -> line.trim().replaceAll(" +", " "))
                .toList();
        assertTrue(lines.contains("the process: Sluice, its libraries 1.0 0.0 1.0"), lines::toString);
        assertTrue(lines.contains("the kernel: the rest 10.0 5.0 5.0"), lines::toString);
        assertTrue(lines.contains("all 11.0 5.0 6.0"), lines::toString);
        assertEquals(
                List.of(
                        "MB of a process connected to all of 512 5.6 2.6 3.1",
                        "MB of a process connected to all of 1024 11.3 5.1 6.1",
                        "MB of a process connected to all of 2048 22.5 10.2 12.3",
                        "MB of a process connected to all of 4096 45.0 20.5 24.6",
                        "MB of a process connected to all of 8192 90.1 41.0 49.1"),
                lines.stream().filter(line -> line.startsWith("MB of")).toList());
    }

    /** 200 requests were MVAPICH's default, of which the paper says that they come to 1 GB at 8,192 processes. */
    @Test
    void thePapersCurvesHaveTheSameJobsAsOurs() {
        List<String> lines = MemoryTable.ofPaper()
                .lines()
                .map(line -> line.trim().replaceAll(" +", " "))
                .toList();
        assertEquals("requests KB/connection 512 1024 2048 4096 8192", lines.get(1));
        assertEquals("10 13.1 6.7 13.4 26.9 53.8 107.5", lines.get(3));
        assertEquals("200 135.9 69.5 139.1 278.3 556.7 1113.5", lines.get(lines.size() - 1));
        assertEquals(8, lines.size());
    }

    @Test
    void theKernelsLargestCacheComesFirst() {
        List<KernelCache> caches = List.of(
                KernelCache.parse("memory-cache small 64 960 480"),
                KernelCache.parse("memory-cache large 2048 485 480"));
        List<String> lines = MemoryTable.ofCaches(caches)
                .lines()
                .map(line -> line.trim().replaceAll(" +", " "))
                .toList();
        assertEquals(List.of("1.0 2048 2.07 large", "2.0 64 0.13 small"), lines.subList(2, lines.size()));
    }
}
