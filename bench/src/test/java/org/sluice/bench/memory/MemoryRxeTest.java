package org.sluice.bench.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.hybrid.launch.JavaHome;

/** Real connections, few of them: that each of them is seen, and about how large. */
@Tag("verbs")
final class MemoryRxeTest {
    private static final int RANKS = 7;
    private static final int WINDOW = 8;

    @Test
    void connectionsAreSeen() throws Exception {
        List<MemoryReading> readings = new MemoryRun(JavaHome.current(), RANKS, WINDOW).readings();
        assertEquals(List.of(14, 28, 42), readings.stream().map(MemoryReading::connections).toList());
        LimitRun limit = new LimitRun(List.of(14, 28, 42), WINDOW);
        limit.run();
        assertEquals(List.of(14, 28, 42), limit.readings().stream().map(MemoryReading::connections).toList());
        double queues = MemoryModel.of(readings, MemoryReading::queues).perConnection();
        assertTrue(queues >= 4096, () -> "queues of a connection: " + queues + " bytes; " + readings);
        assertEquals(queues, MemoryModel.of(limit.readings(), MemoryReading::queues).perConnection(), 0.5,
                () -> "what is kept beside the window takes no more pages: " + readings + "; " + limit.readings());
        assertFalse(limit.caches().isEmpty(), "root is told what the kernel's caches hold");
    }
}
