package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Options;

/** How long a rank waits in which way, by where it is and by what is asked for. */
final class WaitPolicyTest {
    private static final long US = 1000;

    private boolean isMoving = true;

    private WaitPolicy policy(boolean crowded, boolean landing, boolean softRoce, Map<String, String> options) {
        return WaitPolicy.of(Options.of(options), crowded ? 0 : 3, landing, softRoce ? () -> isMoving : null);
    }

    private static void assertWindow(long spinUs, long yieldUs, WaitPolicy policy) {
        assertEquals(spinUs * US, policy.spinNanos());
        assertEquals(yieldUs * US, policy.yieldNanos());
    }

    @Test
    void withCoresEnoughARankSpinsForAMoment() {
        assertWindow(50, 1000, policy(false, false, false, Map.of()));
    }

    @Test
    void whereRanksShareCoresItYields() {
        assertWindow(0, 20_000, policy(true, false, false, Map.of()));
        assertWindow(0, 20_000, policy(true, true, false, Map.of()));
    }

    @Test
    void whereWritesWakeNobodyItSpinsForLonger() {
        WaitPolicy policy = policy(false, true, false, Map.of());
        assertWindow(1000, 20_000, policy);
        assertTrue(policy.isWrittenTo());
    }

    @Test
    void whereTheKernelMovesItsLongMessagesItYieldsForManyHopsAndDoesNotSpin() {
        WaitPolicy policy = policy(false, false, true, Map.of());
        assertWindow(0, 50_000, policy);
        assertFalse(policy.spins());
        assertWindow(0, 50_000, policy(true, false, true, Map.of()));
        assertWindow(0, 50_000, policy(false, true, true, Map.of()));
    }

    @Test
    void aRankOverSoftRoceSpinsForManyHopsWhileNothingLongGoesThere() {
        WaitPolicy policy = policy(false, false, true, Map.of());
        isMoving = false;
        assertWindow(10_000, 50_000, policy);
        assertTrue(policy.spins());
        assertWindow(10_000, 50_000, policy(false, true, true, Map.of()));
        assertEquals(50 * US, policy.besideNanos());
        assertEquals(256, policy.directRounds());
        isMoving = true;
        assertWindow(0, 50_000, policy);
        assertEquals(0, policy.besideNanos());
        assertEquals(1, policy.directRounds());
    }

    @Test
    void aRankOverSoftRoceNapsOnceItHasWaitedLongerThanAHopTakes() {
        WaitPolicy policy = policy(false, false, true, Map.of());
        assertFalse(policy.naps(299 * US));
        assertTrue(policy.naps(300 * US));
        isMoving = false;
        assertFalse(policy.naps(300 * US), "nothing long goes there");
        isMoving = true;
        assertFalse(policy(true, false, false, Map.of()).naps(10_000 * US), "no kernel moves its messages");
        assertFalse(
                policy(false, false, true, Map.of("sluice.wait.spin.us", "0")).naps(10_000 * US),
                "how it waits was asked for");
    }

    @Test
    void whoWaitsBesideALeaderSpinsAsTheLeaderDoes() {
        assertEquals(50 * US, policy(false, false, false, Map.of()).besideNanos());
        assertEquals(
                700 * US,
                policy(false, false, true, Map.of("sluice.wait.spin.us", "700")).besideNanos());
    }

    @Test
    void asManyThreadsOfARankMaySpinAsItHasCores() {
        assertEquals(3, policy(false, false, false, Map.of()).spinners());
        assertEquals(1, policy(true, false, false, Map.of()).spinners());
        assertEquals(
                Integer.MAX_VALUE,
                policy(false, false, false, Map.of("sluice.wait.spin.us", "50")).spinners(),
                "how long was asked for");
    }

    @Test
    void whatIsAskedForWins() {
        for (boolean softRoce : new boolean[] {false, true}) {
            assertWindow(
                    7,
                    9,
                    policy(false, false, softRoce, Map.of("sluice.wait.spin.us", "7", "sluice.wait.yield.us", "9")));
            assertWindow(
                    0,
                    0,
                    policy(false, false, softRoce, Map.of("sluice.wait.spin.us", "0", "sluice.wait.yield.us", "0")));
        }
        assertWindow(7, 50_000, policy(false, false, true, Map.of("sluice.wait.spin.us", "7")));
        assertWindow(0, 9, policy(false, false, true, Map.of("sluice.wait.yield.us", "9")));
    }
}
