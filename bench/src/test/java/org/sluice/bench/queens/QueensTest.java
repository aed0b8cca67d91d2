package org.sluice.bench.queens;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.bench.plan.Api;
import org.sluice.device.Device;
import org.sluice.launch.JobServer;

@Tag("once")
final class QueensTest {
    private static final int LIMIT_SECONDS = 60;

    @Test
    void waysAreCounted() {
        for (int queens = 1; queens <= 11; queens++) {
            assertEquals(Board.known(queens), Board.solutions(Board.all(queens), 0, 0, 0), queens + " queens");
        }
    }

    @Test
    void aBoardThatCameChangedIsRefused() {
        Task parent = new Task();
        parent.begin(8);
        Task child = new Task();
        child.follow(parent, 1 << 3, 5);
        child.check(8);
        Task grandchild = new Task();
        grandchild.follow(child, 1 << 5, 5);
        grandchild.check(8);
        assertThrows(IllegalStateException.class, () -> grandchild.check(9));
        grandchild.longs[4] ^= 1;
        assertTrue(assertThrows(IllegalStateException.class, () -> grandchild.check(8))
                .getMessage()
                .startsWith("wrong content"));
    }

    @Test
    void whatCannotBeSolvedIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new QueensProblem(18, 4, Api.HANDLER, false));
        assertThrows(IllegalArgumentException.class, () -> new QueensProblem(8, 9, Api.HANDLER, false));
        assertThrows(IllegalArgumentException.class, () -> new QueensProblem(8, 4, Api.BLOCKING, false));
        assertEquals(List.of(1, 2, 4, 6), new QueensBench.Jobs(6, 1, 1).counts());
        assertEquals(List.of(1), new QueensBench.Jobs(1, 1, 1).counts());
    }

    /** All tasks travel, down to the last queen; ranks of one JVM. */
    @ParameterizedTest
    @CsvSource({"HANDLER,3,8,8", "COROUTINE,3,8,8", "HANDLER,1,8,4", "COROUTINE,2,9,2"})
    void ranksFindAllWays(Api api, int count, int queens, int threshold) throws Exception {
        QueensProblem problem = new QueensProblem(queens, threshold, api, true);
        JobServer server = JobServer.start(count);
        Map<String, String> options = server.options(0, count);
        List<FutureTask<List<QueensReading>>> ranks = new ArrayList<>();
        for (int rank = 0; rank < count; rank++) {
            int own = rank;
            FutureTask<List<QueensReading>> task = new FutureTask<>(() -> {
                try (Device device = Device.open(own, options)) {
                    return QueensRank.solve(device, problem, 2);
                }
            });
            ranks.add(task);
            Thread thread = new Thread(task, "rank-" + rank);
            thread.setDaemon(true);
            thread.start();
        }
        for (FutureTask<List<QueensReading>> rank : ranks.subList(1, count)) {
            assertEquals(List.of(), rank.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
        List<QueensReading> readings = ranks.get(0).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        server.close();
        assertEquals(2, readings.size());
        for (QueensReading reading : readings) {
            assertEquals(count, reading.ranks().size());
            assertEquals(Board.known(queens), reading.sum(RankShare::solutions), reading::encode);
            assertEquals(reading, QueensReading.parse(reading.encode()));
            assertTrue(count == 1 || reading.sum(RankShare::sent) > 0, reading::encode);
        }
        assertNull(QueensReading.parse("some other line"));
    }
}
