package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.ib.sim.SimulatedVerbs;

/** Every library call at every place, with a library that is simulated: all of them, in seconds. {@code FaultSweepRxeTest} has a real one. */
final class FaultSweepTest {
    private final FaultSweep sweep = new FaultSweep(SimulatedVerbs::new, (library, where) -> {
        SimulatedVerbs simulated = (SimulatedVerbs) library;
        assertEquals(Map.of(), simulated.living(), where);
        assertEquals(List.of(), simulated.wrongs(), where);
    });

    @Test
    void asksAndReads() throws InterruptedException {
        sweep.run(true, false, 1, 0);
        assertTrue(sweep.lives() > 100, sweep.lives() + " lives");
    }

    @Test
    void asksAndWrites() throws InterruptedException {
        sweep.run(true, true, 1, 0);
    }

    @Test
    void isAskedAndReads() throws InterruptedException {
        sweep.run(false, false, 1, 0);
    }

    @Test
    void isAskedAndWrites() throws InterruptedException {
        sweep.run(false, true, 1, 0);
    }
}
