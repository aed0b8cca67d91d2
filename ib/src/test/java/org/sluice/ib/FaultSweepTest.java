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
    /** A life takes 20 ms, and all places of these lives, which are some 300 each, passed once. */
    private static final int STRIDE = 9;

    private final FaultSweep sweep = sweep("send");

    private static FaultSweep sweep(String eager) {
        return new FaultSweep(SimulatedVerbs::new, 900, eager, (library, where) -> {
            SimulatedVerbs simulated = (SimulatedVerbs) library;
            assertEquals(Map.of(), simulated.living(), where);
            assertEquals(List.of(), simulated.wrongs(), where);
        });
    }

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

    @Test
    void landsInRings() throws InterruptedException {
        sweep("write").ofMessages(true, true, STRIDE);
    }

    @Test
    void landsInRingsWithImmediateData() throws InterruptedException {
        sweep("write-imm").ofMessages(false, false, STRIDE);
    }
}
