package org.sluice.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class WarmUpTest {
    private static final double BUDGET_NS = 300e6;

    @Test
    void stepsGrowToASliceUntilTheBudgetIsSpent() {
        WarmUp warmUp = new WarmUp(BUDGET_NS);
        long iterations = 0;
        while (warmUp.goesOn()) {
            iterations += warmUp.iterations();
            assertTrue(warmUp.iterations() <= WarmUp.SLICE_NS / 1000, "one step of " + warmUp.iterations());
            warmUp.took(1000L * warmUp.iterations());
        }
        assertEquals(1000, warmUp.iterationNs());
        assertTrue(iterations >= BUDGET_NS / 1000 && iterations < 1.2 * BUDGET_NS / 1000, iterations + " iterations");
    }

    /** Otherwise it would end cold, and all rounds would be as short as iterations were long then. */
    @Test
    void aStepThatIsHeldUpWarmsNothing() {
        WarmUp warmUp = new WarmUp(BUDGET_NS);
        warmUp.took(50_000);
        warmUp.took(1_000_000_000L);
        assertTrue(warmUp.goesOn());
        assertEquals(50_000, warmUp.iterationNs());
        assertEquals(100, warmUp.iterations());
    }

    @Test
    void anIterationThatTakesTheWholeBudgetIsEnough() {
        WarmUp warmUp = new WarmUp(BUDGET_NS);
        warmUp.took(2 * (long) BUDGET_NS);
        assertFalse(warmUp.goesOn());
    }

    /** Four ranks that spin on two cores: an exchange takes a time slice, and a microsecond when it comes out well. */
    @Test
    void aLuckyStepDoesNotMakeAllOthersLong() {
        WarmUp warmUp = new WarmUp(BUDGET_NS);
        double clock = 0;
        for (int step = 0; warmUp.goesOn(); step++) {
            double ns = warmUp.iterations() * (step == 2 ? 1000.0 : 6e6);
            clock += ns;
            warmUp.took((long) ns);
        }
        assertTrue(clock < 6 * BUDGET_NS, "it went on for " + clock / 1e9 + " s");
        assertEquals(6e6, warmUp.iterationNs());
    }
}
