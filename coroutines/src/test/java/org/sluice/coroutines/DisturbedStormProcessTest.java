package org.sluice.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.hybrid.process.DisturbedJob;
import org.sluice.hybrid.process.DisturbedJob.Disturbance;

/**
 * Jobs of random ranks, collectors and options, in which at a random moment a rank or the launcher is stopped for a
 * while, or killed. Of one that goes on every message comes, once, whole and in order; of one that was broken nothing
 * that came was wrong, and nothing is left. The seed of each job comes of the first ({@code sluice.test.storm.seed}),
 * and jobs begin for {@code sluice.test.storm.seconds}.
 */
final class DisturbedStormProcessTest {
    private static final int SECONDS = 300;
    private static final long NEXT_SEED = 0x9E3779B97F4A7C15L;

    @TempDir
    private Path folder;

    @Test
    @Tag("long")
    @Timeout(7200)
    void nothingIsLostDoubledOrLeftWhoeverIsStoppedOrKilledForMinutes() throws Exception {
        storm(Integer.getInteger("sluice.test.storm.seconds", SECONDS));
    }

    @Test
    @Tag("all")
    @Tag("once")
    void nothingIsLostDoubledOrLeftWhoeverIsStoppedOrKilled() throws Exception {
        storm(5);
    }

    private void storm(int seconds) throws Exception {
        long begin = System.nanoTime();
        long seed = Long.getLong(
                "sluice.test.storm.seed", ThreadLocalRandom.current().nextLong());
        for (int job = 0; job == 0 || System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds); job++) {
            disturb(seed + job * NEXT_SEED);
        }
    }

    private void disturb(long seed) throws Exception {
        Random random = new Random(seed);
        try (DisturbedJob job = DisturbedJob.start(seed, random, folder)) {
            System.out.println(job);
            try {
                disturb(job, random);
            } catch (AssertionError e) {
                throw new AssertionError(job + "\n" + e.getMessage() + "\n" + job.output(), e);
            }
        }
    }

    private static void disturb(DisturbedJob job, Random random) throws Exception {
        Disturbance disturbance = Disturbance.values()[random.nextInt(Disturbance.values().length)];
        job.awaitBegun();
        // The moment is the point: nothing says when the job is in the middle of something.
        Thread.sleep(random.nextInt(2000));
        boolean hit = job.disturb(disturbance, random);
        int status = job.end();
        System.out.println("  " + disturbance + (hit ? "" : " (too late)") + ": status " + status + ", "
                + job.count("all came") + " ranks through, " + job.count("heard: ") + " heard of an end");
        assertEquals(0, job.count("WRONG"), "what came was wrong");
        if (!hit || !disturbance.isDeadly()) {
            assertEquals(0, status, "the job's status after " + disturbance);
            assertEquals(job.ranks(), job.count("all came"), "ranks to whom all came");
        } else if (job.count("all came") < job.ranks()) {
            assertTrue(status != 0, "a job that was broken ended with 0");
        }
        job.assertNothingIsLeft();
    }
}
