package org.sluice.hybrid.match;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The queues against the reference on random scripts. To run one again, give {@code check} the seed that a failure
 * prints.
 */
@Tag("once")
@Timeout(30)
final class MatchModelTest {
    private static final Duration LIMIT = Duration.ofMillis(700);
    private static final int STEPS = 1500;
    private static final int LEAST_SCRIPTS = 20;

    static Stream<Arguments> scripts() {
        return Stream.of(
                Arguments.of("few keys", new MatchScript.Keys(2, 3, 3, 1, 40)),
                Arguments.of("one key", new MatchScript.Keys(1, 1, 1, 1, 50)),
                Arguments.of("mostly wild", new MatchScript.Keys(2, 4, 4, 1, 85)),
                Arguments.of("no wildcards", new MatchScript.Keys(3, 4, 6, 1, 0)),
                Arguments.of("many keys", new MatchScript.Keys(5, 300, 1 << 20, 1, 25)),
                Arguments.of("tags of high bits", new MatchScript.Keys(2, 2, 1 << 10, 1 << 20, 15)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scripts")
    void aMessageAndAReceiveMeetAsInTheReference(String name, MatchScript.Keys keys) {
        runMany(name, keys, true);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scripts")
    void eachQueueAloneBehavesAsTheReference(String name, MatchScript.Keys keys) {
        runMany(name, keys, false);
    }

    private static void runMany(String name, MatchScript.Keys keys, boolean joined) {
        long end = System.nanoTime() + LIMIT.toNanos();
        for (int seed = 1; seed <= LEAST_SCRIPTS; seed++) {
            check(seed, name, keys, joined);
        }
        while (System.nanoTime() < end) {
            check(ThreadLocalRandom.current().nextLong(), name, keys, joined);
        }
    }

    private static void check(long seed, String name, MatchScript.Keys keys, boolean joined) {
        MatchScript script = new MatchScript(seed, keys, joined);
        try {
            script.run(STEPS);
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(name + ", joined " + joined + ", seed " + seed + ": " + script.state(), failure);
        }
    }
}
