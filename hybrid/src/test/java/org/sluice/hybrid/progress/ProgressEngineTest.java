package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.RequestFuture;
import org.sluice.hybrid.request.Waiting;

/** Who leads, who waits, and what ends a wait; the work itself is the test's. */
@Timeout(60)
final class ProgressEngineTest {
    private static final long MS = 1_000_000;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private final Counters counters = new Counters();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger checks = new AtomicInteger();
    /** What a round does, under the lock; returns how much it did. */
    private volatile java.util.function.IntSupplier work = () -> 0;
    /** As {@link Duty#lookFor}; only rounds can tell unless a test says otherwise. */
    private volatile java.util.function.ToIntFunction<Goal> look = goal -> -1;

    private volatile boolean waitsForRoom;
    private volatile boolean maySleep = true;
    private volatile Throwable failed;

    private final Duty duty = new Duty() {
        @Override
        public int work() {
            assertEquals(1, inside.incrementAndGet(), "one leader at a time");
            try {
                return work.getAsInt();
            } finally {
                inside.decrementAndGet();
            }
        }

        @Override
        public int lookFor(Goal goal) {
            return look.applyAsInt(goal);
        }

        @Override
        public boolean waitsForRoom() {
            return waitsForRoom;
        }

        @Override
        public boolean prepareSleep() {
            return maySleep;
        }

        @Override
        public void arm() {
            // Whoever completes something here rings nothing: sleepers look by themselves.
        }

        @Override
        public void checkPeers() {
            checks.incrementAndGet();
        }

        @Override
        public void fail(Throwable cause) {
            failed = cause;
        }
    };
    private ProgressEngine engine = engine(0);

    private ProgressEngine engine(int threads) {
        return new ProgressEngine(
                duty,
                new WaitWord(Memory.address(memory), memory, null),
                new WaitPolicy(20_000, 100_000, 20 * MS),
                Sleeper.napping(),
                threads,
                "engine-test",
                counters);
    }

    @AfterEach
    void stop() {
        engine.stop(System.nanoTime() + 10_000_000_000L);
    }

    private boolean await(Completion completion, long deadlineNanos) {
        engine.lock();
        try {
            return engine.await(completion, deadlineNanos);
        } finally {
            engine.unlock();
        }
    }

    private static void done(Completion completion) {
        if (!completion.isReached()) {
            completion.succeed(0, 0, 0, 0, 1);
        }
    }

    @Test
    void aCallerMakesItsOwnProgress() {
        Completion completion = new Completion(null);
        int[] rounds = new int[1];
        work = () -> {
            if (++rounds[0] == 10) {
                done(completion);
            }
            return 1;
        };
        assertTrue(await(completion, Waiting.FOREVER));
        assertEquals(10, rounds[0]);
        assertEquals(0, counters.get(Counter.PARKS));
    }

    @Test
    void lookingForOneGoalStillMakesRoundsForAll() {
        Completion completion = new Completion(null);
        int[] looks = new int[1];
        int[] rounds = new int[1];
        look = goal -> {
            assertSame(completion, goal);
            looks[0]++;
            return 0;
        };
        work = () -> {
            if (++rounds[0] == 10) {
                done(completion);
            }
            return 0;
        };
        assertTrue(await(completion, Waiting.FOREVER));
        assertEquals(10, rounds[0]);
        assertTrue(looks[0] > 10 && looks[0] <= 100, looks[0] + " looks for 10 rounds");
        Completion found = new Completion(null);
        look = goal -> {
            done(found);
            return 1;
        };
        assertTrue(await(found, Waiting.FOREVER));
        assertEquals(10, rounds[0], "it was found without a round");
    }

    @Test
    void aLookThatThrowsEndsTheDeviceAndNotTheWaiter() {
        Completion completion = new Completion(null);
        look = goal -> {
            done(completion);
            throw new IllegalStateException("broken");
        };
        assertTrue(await(completion, Waiting.FOREVER));
        assertEquals("broken", failed.getMessage());
    }

    @Test
    void aDeadlineEndsAWaitAlsoWhileThereIsTrafficForOthers() {
        for (int did : new int[] {0, 1}) {
            work = () -> did;
            long start = System.nanoTime();
            assertFalse(await(new Completion(null), start + 30 * MS));
            long took = System.nanoTime() - start;
            assertTrue(took >= 30 * MS && took < 2000 * MS, took + " ns");
        }
        assertTrue(checks.get() > 0, "peers are looked at in either case");
    }

    /** Where ranks share cores a yield can take as long as the others like. */
    @Test
    void aDeadlineEndsAWaitThatYieldsWithTheYieldItFallsInto() {
        Yields yields = new Yields(20 * MS);
        engine = engine(new WaitPolicy(0, 10_000 * MS, 20 * MS), yields);
        assertFalse(await(new Completion(null), System.nanoTime() + MS));
        assertTrue(yields.count <= 2, yields.count + " yields of 20 ms past a deadline of 1 ms");
    }

    @Test
    void whoMayNeitherSpinNorYieldParksAtOnce() {
        Yields yields = new Yields(0);
        engine = engine(new WaitPolicy(0, 0, 20 * MS), yields);
        assertFalse(await(new Completion(null), System.nanoTime() + 5 * MS));
        assertEquals(0, yields.count);
        assertEquals(1, counters.get(Counter.PARKS));
    }

    /**
     * The window's length was decided when the device was opened; which part of it comes first, is decided by what goes
     * on now.
     */
    @Test
    void whoeverWaitsYieldsAsLongAsTheKernelNeedsTheCore() {
        Yields yields = new Yields(0);
        AtomicBoolean isCoreWanted = new AtomicBoolean();
        engine = engine(
                new WaitPolicy(60_000 * MS, 10_000 * MS, 20 * MS, false, isCoreWanted::get, WaitPolicy.ANY_NUMBER),
                yields);
        assertFalse(await(new Completion(null), System.nanoTime() + 5 * MS));
        assertEquals(0, yields.count + yields.naps);
        isCoreWanted.set(true);
        assertFalse(await(new Completion(null), System.nanoTime() + 5 * MS));
        assertTrue(yields.count > 0, "it spins all the same");
        assertTrue(yields.naps > 0, "it asks for the core again and again");
    }

    private ProgressEngine engine(WaitPolicy policy, Sleeper sleeper) {
        return new ProgressEngine(
                duty, new WaitWord(Memory.address(memory), memory, null), policy, sleeper, 0, "engine-test", counters);
    }

    /** Counts the yields, which take some time. */
    private static final class Yields implements Sleeper {
        private final long nanos;
        private int count;
        private int naps;

        Yields(long nanos) {
            this.nanos = nanos;
        }

        @Override
        public void sleep(WaitWord word, int sequence, long limitNanos) {
            Sleeper.napping().sleep(word, sequence, limitNanos);
        }

        @Override
        public void yieldCore() {
            count++;
            LockSupport.parkNanos(nanos);
        }

        @Override
        public void nap() {
            naps++;
        }
    }

    @Test
    void peersAreLookedAtWhileThereIsTraffic() {
        work = () -> 1;
        assertFalse(await(new Completion(null), System.nanoTime() + 200 * MS));
        assertTrue(checks.get() >= 2, checks + " looks in 200 ms, at one every 20");
    }

    /**
     * Between two rounds that bring something for others a look for the goal brings nothing, and yields: to whom it
     * pleases, for as long.
     */
    @Test
    void peersAreLookedAtWhileThereIsTrafficAndTheCoreIsYielded() {
        Yields yields = new Yields(2 * MS);
        engine = engine(new WaitPolicy(0, 10_000 * MS, 20 * MS), yields);
        Completion completion = new Completion(null);
        look = goal -> 0;
        work = () -> {
            if (checks.get() != 0 || yields.count >= 400) {
                done(completion);
            }
            return 1;
        };
        assertTrue(await(completion, Waiting.FOREVER));
        assertTrue(checks.get() > 0, "no look at the peers, every 20 ms, in " + yields.count + " yields of 2 ms");
    }

    @Test
    void whoParksIsWokenByTheThreadThatTookOver() {
        Completion completion = new Completion(null);
        long end = System.nanoTime() + 100 * MS;
        work = () -> {
            if (System.nanoTime() - end < 0) {
                return 0;
            }
            done(completion);
            return 1;
        };
        assertTrue(await(completion, Waiting.FOREVER));
        assertEquals(1, counters.get(Counter.PARKS));
        assertTrue(counters.get(Counter.SLEEPS) > 0);
    }

    /**
     * Whoever parks meanwhile is served by the thread that goes on polling; and a peer that never agrees may be dead.
     */
    @Test
    void nobodySleepsBeforeTheSendersHaveAgreed() {
        maySleep = false;
        int before = checks.get();
        Completion completion = new Completion(null);
        long end = System.nanoTime() + 300 * MS;
        work = () -> {
            if (System.nanoTime() >= end) {
                done(completion);
            }
            return 0;
        };
        assertTrue(await(completion, Waiting.FOREVER));
        assertEquals(0, counters.get(Counter.SLEEPS));
        assertTrue(counters.get(Counter.PARKS) > 0 && checks.get() > before);
    }

    /** It looks again by itself, so neither its own unlocking nor anybody else's is a reason to wake it. */
    @Test
    void aThreadThatNapsForRoomIsLeftAlone() {
        waitsForRoom = true;
        engine.lock();
        engine.controlsWait();
        engine.unlock();
        long end = System.nanoTime() + 300 * MS;
        while (System.nanoTime() - end < 0) {
            engine.progressOnce();
            LockSupport.parkNanos(MS / 10);
        }
        waitsForRoom = false;
        long sleeps = counters.get(Counter.SLEEPS);
        // This sleeper looks every millisecond.
        assertTrue(sleeps > 10 && sleeps < 1000, sleeps + " sleeps in 300 ms");
    }

    @Test
    void aLeaderThatLeavesHandsOnToTheOthers() throws Exception {
        for (int threads : new int[] {0, 1, 2}) {
            engine.stop(System.nanoTime() + 10_000_000_000L);
            engine = engine(threads);
            engine.start();
            Completion[] completions = new Completion[4];
            CompletableFuture<?>[] waits = new CompletableFuture<?>[4];
            AtomicInteger next = new AtomicInteger();
            long[] last = {System.nanoTime()};
            work = () -> {
                if (completions[3] == null || next.get() == 4 || System.nanoTime() - last[0] < 5 * MS) {
                    return 0;
                }
                last[0] = System.nanoTime();
                done(completions[next.getAndIncrement()]);
                return 1;
            };
            for (int i = 0; i < 4; i++) {
                completions[i] = new Completion(null);
                Completion mine = completions[i];
                waits[i] = CompletableFuture.runAsync(
                        () -> assertTrue(await(mine, Waiting.FOREVER)), task -> new Thread(task).start());
            }
            CompletableFuture.allOf(waits).get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void callbacksRunOutsideTheLock() throws Exception {
        Completion completion = new Completion(null);
        RequestFuture future = new RequestFuture();
        CompletableFuture<Long> bytes = future.thenApply(status -> {
            engine.lock();
            engine.unlock();
            return status.bytes();
        });
        work = () -> {
            if (completion.isReached()) {
                return 0;
            }
            completion.succeed(1, 1, 1, 1, 1);
            engine.callLater(completion);
            return 1;
        };
        engine.lock();
        completion.attach(future);
        engine.callbackWanted(completion);
        engine.unlock();
        assertEquals(1, bytes.get(20, TimeUnit.SECONDS));
    }

    @Test
    void controlPacketsThatFoundNoRoomGoOnWithoutTheCaller() throws Exception {
        CompletableFuture<Thread> driver = new CompletableFuture<>();
        waitsForRoom = true;
        work = () -> {
            waitsForRoom = false;
            driver.complete(Thread.currentThread());
            return 1;
        };
        engine.lock();
        engine.controlsWait();
        engine.unlock();
        assertTrue(driver.get(20, TimeUnit.SECONDS).getName().startsWith("engine-test"));
    }

    @Test
    void whatARoundThrowsIsTold() {
        Completion completion = new Completion(null);
        work = () -> {
            if (failed != null) {
                done(completion);
                return 1;
            }
            throw new IllegalStateException("broken");
        };
        assertTrue(await(completion, Waiting.FOREVER));
        assertNotNull(failed);
        assertEquals("broken", failed.getMessage());
    }
}
