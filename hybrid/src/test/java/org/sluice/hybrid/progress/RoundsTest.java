package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;

/** When the peers are looked at while others send without a pause. */
final class RoundsTest {
    private static final int MESSAGES = 4096;
    /** As the handlers have it: so many are found by a look for the last sender's next, then a round is due. */
    private static final int LOOKS_PER_ROUND = 64;

    private int looks;
    private int checks;

    private final Duty duty = new Duty() {
        @Override
        public int work() {
            return 1;
        }

        @Override
        public int lookFor(Goal goal) {
            return ++looks % LOOKS_PER_ROUND == 0 ? -1 : 1;
        }

        @Override
        public boolean waitsForRoom() {
            return false;
        }

        @Override
        public void arm() {
            throw new AssertionError("nobody sleeps");
        }

        @Override
        public void checkPeers() {
            checks++;
        }

        @Override
        public void fail(Throwable cause) {
            throw new AssertionError(cause);
        }
    };

    /** @return how often the peers were looked at, where each look at the clock is one at them */
    private int flood(Goal goal) {
        Rounds rounds = new Rounds(duty, new WaitPolicy(0, 0, 0));
        for (int i = 0; i < MESSAGES; i++) {
            assertEquals(1, rounds.onceFor(goal), "it is flooded");
        }
        return checks;
    }

    /**
     * Between two messages there may be a handler that takes its time: a second for each of a thousand is too long for
     * a dead peer to go unseen.
     */
    @Test
    void whoServesWhileItIsFloodedLooksAtItsPeersAfterSomeHundredMessages() {
        int atLeast = MESSAGES / 512;
        int looked = flood(new ServingTurn(new Completion(null), null));
        assertTrue(looked >= atLeast, looked + " looks in " + MESSAGES + " messages");
    }

    /** Where nothing of the program's runs in between, thousands of messages come within a millisecond. */
    @Test
    void whoWaitsForAMessageDoesNotLookSoOften() {
        assertEquals(0, flood(new Completion(null)));
    }
}
