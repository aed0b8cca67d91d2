package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Receives that go past the queues, and those that don't, against the reference on random scripts; a failure prints the
 * seed.
 */
@Timeout(60)
final class TakingModelTest {
    private static final Duration LIMIT = Duration.ofMillis(1500);
    private static final int STEPS = 150;
    private static final int LEAST_SCRIPTS = 500;

    private int takenNow;
    private int takenByLook;
    private int takenDirectly;

    @Test
    void everyReceiveGetsTheMessageThatTheRulesGiveIt() {
        long end = System.nanoTime() + LIMIT.toNanos();
        for (int seed = 1; seed <= LEAST_SCRIPTS; seed++) {
            check(seed);
        }
        while (System.nanoTime() < end) {
            check(ThreadLocalRandom.current().nextLong());
        }
        assertTrue(
                Math.min(takenNow, Math.min(takenByLook, takenDirectly)) > LEAST_SCRIPTS / 10,
                "too few went past the queues: " + takenNow + " at once, " + takenByLook + " by a look, "
                        + takenDirectly + " directly");
    }

    private void check(long seed) {
        TakingScript script = new TakingScript(seed);
        script.lock();
        try {
            script.run(STEPS);
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed " + seed, failure);
        } finally {
            script.unlock();
        }
        takenNow += script.takenNow;
        takenByLook += script.takenByLook;
        takenDirectly += script.takenDirectly;
    }
}
