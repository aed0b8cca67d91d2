package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.ib.sim.SimulatedVerbs;

/** Every library call at every place, with a library that is simulated: all of them, in seconds. {@code FaultSweepRxeTest} has a real one. */
@Tag("once")
final class FaultSweepTest {
    private final FaultSweep sweep = new FaultSweep(SimulatedVerbs::new, 900, (library, where) -> {
        SimulatedVerbs simulated = (SimulatedVerbs) library;
        assertEquals(Map.of(), simulated.living(), where);
        assertEquals(List.of(), simulated.wrongs(), where);
    });

    @Test
    void asksAndReads() throws InterruptedException {
        sweep.all(true, false);
    }

    @Test
    void asksAndWrites() throws InterruptedException {
        sweep.all(true, true);
    }

    @Test
    void isAskedAndReads() throws InterruptedException {
        sweep.all(false, false);
    }

    @Test
    void isAskedAndWrites() throws InterruptedException {
        sweep.all(false, true);
    }
}
