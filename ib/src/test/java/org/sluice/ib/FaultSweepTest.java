package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.ib.sim.SimulatedVerbs;

/**
 * Every library call at every place, with a library that is simulated: all of them, in seconds.
 * {@code FaultSweepRxeTest} has a real one.
 */
@Tag("all")
@Tag("once")
final class FaultSweepTest {
    /** Of the places of these lives, which are some 300 each and take 20 ms, one in so many is tried. */
    private static final int STRIDE = 9;

    private final FaultSweep sweep = sweep("send");

    private static FaultSweep sweep(String eager) {
        return new FaultSweep(
                SimulatedVerbs::new,
                900,
                eager,
                (library, where) -> {
                    SimulatedVerbs simulated = (SimulatedVerbs) library;
                    assertEquals(Map.of(), simulated.living(), where);
                    assertEquals(List.of(), simulated.wrongs(), where);
                },
                "sluice.ib.device",
                "simulated0",
                "sluice.ib.gid",
                "0",
                "sluice.ib.pkey",
                "0xffff");
    }

    @Test
    @Tag("all")
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
    @Tag("all")
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

    @Test
    @Tag("all")
    void landsInRingsAtEachPlace() throws InterruptedException {
        sweep("write").ofMessages(true, true, 1);
    }

    @Test
    @Tag("all")
    void landsInRingsWithImmediateDataAtEachPlace() throws InterruptedException {
        sweep("write-imm").ofMessages(false, false, 1);
    }
}
