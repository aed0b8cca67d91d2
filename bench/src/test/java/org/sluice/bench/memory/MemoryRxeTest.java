package org.sluice.bench.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.launch.JavaHome;

/** Real connections, few of them: that each of them is seen, and about how large. */
@Tag("long")
@Tag("verbs")
final class MemoryRxeTest {
    private static final int RANKS = 5;
    private static final int WINDOW = 8;
    private static final List<Integer> CONNECTIONS = List.of(10, 20);

    /** A cache grows by whole pages of objects, so that ten more connections may hide in what was free in it. */
    private static final List<Integer> BARE_CONNECTIONS = List.of(10, 20, 120);

    @Test
    void connectionsAreSeen() throws Exception {
        List<MemoryReading> readings = new MemoryRun(JavaHome.current(), RANKS, WINDOW).readings();
        assertEquals(
                CONNECTIONS, readings.stream().map(MemoryReading::connections).toList());
        LimitRun limit = new LimitRun(BARE_CONNECTIONS, WINDOW);
        limit.run();
        assertEquals(
                BARE_CONNECTIONS,
                limit.readings().stream().map(MemoryReading::connections).toList());
        double queues = MemoryModel.of(readings, MemoryReading::queues).perConnection();
        assertTrue(queues >= 4096, () -> "queues of a connection: " + queues + " bytes; " + readings);
        assertEquals(
                queues,
                MemoryModel.of(limit.readings(), MemoryReading::queues).perConnection(),
                0.5,
                () -> "what is kept beside the window takes no more pages: " + readings + "; " + limit.readings());
        assertFalse(limit.caches().isEmpty(), "root is told what the kernel's caches hold");
    }
}
