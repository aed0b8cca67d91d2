package org.sluice.bench.race;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.VerbsUse;

/** When a race ends. */
final class RaceTest {
    private static final double LAST_SECOND = Race.SECONDS_MOST - 0.1;

    private static boolean goesOn(Route route, double seconds, int rounds, double passed, boolean enough) {
        BenchPlan plan = new BenchPlan(
                Benchmark.LATENCY,
                route,
                Api.BLOCKING,
                BufferKind.ARRAY,
                2,
                List.of(8),
                0,
                seconds,
                true,
                List.of(),
                false,
                false,
                0,
                1,
                1,
                VerbsUse.CHOSEN);
        return Race.goesOn(plan, rounds, passed, () -> enough);
    }

    @ParameterizedTest
    @EnumSource(names = {"THREADS", "SHM"})
    void noRoundBeginsAfterThreeMinutesHoweverFewThereWere(Route route) {
        for (int rounds = 1; rounds <= Race.ROUNDS_LEAST; rounds++) {
            assertFalse(goesOn(route, 0, rounds, Race.SECONDS_MOST, false), rounds + " rounds");
        }
        assertTrue(goesOn(route, 0, 0, Race.SECONDS_MOST, false), "one is always run");
    }

    @ParameterizedTest
    @EnumSource(names = {"THREADS", "SHM"})
    void untilThenItTakesFifteenAndAsManyAsTheRatiosNeed(Route route) {
        assertTrue(goesOn(route, 0, Race.ROUNDS_LEAST - 1, LAST_SECOND, true));
        assertTrue(goesOn(route, 0, Race.ROUNDS_LEAST, LAST_SECOND, false));
        assertFalse(goesOn(route, 0, Race.ROUNDS_LEAST, LAST_SECOND, true));
    }

    /** Where a round of all sizes takes a minute, three minutes of rounds would be a table of asterisks. */
    @Test
    void overVerbsTheSevenAreRunWhateverTheyTake() {
        assertTrue(goesOn(Route.IB, 0, Race.ROUNDS_LEAST_VERBS - 1, 10 * Race.SECONDS_MOST, true));
        assertFalse(goesOn(Route.IB, 0, Race.ROUNDS_LEAST_VERBS, Race.SECONDS_MOST, false));
        assertTrue(goesOn(Route.IB, 0, Race.ROUNDS_LEAST_VERBS, LAST_SECOND, false));
        assertFalse(goesOn(Route.IB, 0, Race.ROUNDS_LEAST_VERBS, LAST_SECOND, true));
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void theUsersSecondsComeFirst(Route route) {
        int asked = 2 * Race.SECONDS_MOST;
        assertTrue(goesOn(route, asked, 100, asked - 1, true));
        assertFalse(goesOn(route, asked, 1, asked, false));
        assertTrue(goesOn(route, asked, 0, asked, false), "one is always run");
    }
}
