package org.sluice.bench.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MemoryReadingTest {
    @Test
    void whatIsWrittenIsRead() {
        MemoryReading reading = new MemoryReading(48, 1, -2, 3, 1L << 40);
        assertEquals(reading, MemoryReading.parse(reading.encode()));
    }

    @Test
    void otherLinesAreNoReadings() {
        assertNull(MemoryReading.parse(""));
        assertNull(MemoryReading.parse("memory-reading 1 2"));
        assertNull(MemoryReading.parse("something 1 2 3 4 5"));
        assertNull(KernelCache.parse("memory-reading 1 2 3 4"));
        assertNull(KernelCache.parse("memory-cache 1 2 3"));
    }

    @Test
    void onlyMappingsOfDevicesAreQueues() {
        List<String> smaps = List.of(
                "7f0000000000-7f0000005000 rw-s 00000000 00:05 91  /dev/infiniband/uverbs0",
                "Size:                 20 kB",
                "Rss:                  20 kB",
                "7f0000005000-7f0000006000 rw-p 00000000 00:00 0",
                "Rss:                   4 kB",
                "7f0000006000-7f0000008000 rw-s 00005000 00:05 91  /dev/infiniband/uverbs0",
                "Rss:                   8 kB");
        assertEquals(28 << 10, MemoryReading.ofDevice(smaps));
    }

    @Test
    void theKernelsMemoryIsWhatItAllocates() {
        assertEquals(
                111 << 10,
                MemoryReading.kernel(List.of(
                        "MemTotal:  99999 kB",
                        "SUnreclaim:     1 kB",
                        "PageTables:    10 kB",
                        "SecPageTables:   7 kB",
                        "VmallocTotal:   5 kB",
                        "VmallocUsed:  100 kB")));
    }

    @Test
    void thisProcessHasAHeapAndMore() throws Exception {
        MemoryReading reading = MemoryReading.take(1);
        assertTrue(reading.heap() > 0 && reading.kernel() > 0, reading::toString);
    }
}
