package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.RequestFuture;

/** Who runs the program's work, and what waits inside it; the work itself is the test's. */
@Timeout(60)
final class ServingTest {
    private static final long MS = 1_000_000;
    private static final long PATIENCE_NANOS = 5000 * MS;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private final Counters counters = new Counters();
    /** What a round does, under the lock. */
    private volatile IntSupplier round = () -> 0;

    private volatile Throwable failed;
    private volatile BooleanSupplier runsHere = () -> true;
    /** Before a thread sleeps. */
    private volatile Runnable atArming = () -> {};
    /** What is due, and the item that runs; under the lock. */
    private final ArrayDeque<Runnable> due = new ArrayDeque<>();

    private Runnable current;
    private int ran;
    /** Waits inside items that took too long. */
    private volatile int stuck;

    private final Duty duty = new Duty() {
        @Override
        public int work() {
            return round.getAsInt();
        }

        @Override
        public int lookFor(Goal goal) {
            return -1;
        }

        @Override
        public boolean waitsForRoom() {
            return false;
        }

        @Override
        public void arm() {
            atArming.run();
        }

        @Override
        public void checkPeers() {
            // There are none.
        }

        @Override
        public void fail(Throwable cause) {
            failed = cause;
        }
    };

    private final DueWork work = new DueWork() {
        @Override
        public boolean isDue() {
            return !due.isEmpty();
        }

        @Override
        public boolean runsHere() {
            return runsHere.getAsBoolean();
        }

        @Override
        public boolean begin() {
            current = due.poll();
            return current != null;
        }

        @Override
        public void run() {
            current.run();
        }

        @Override
        public void end() {
            ran++;
        }
    };
    private ProgressEngine engine;

    private void open(int threads) {
        engine = new ProgressEngine(
                duty,
                new WaitWord(Memory.address(memory), memory, null),
                new WaitPolicy(20_000, 100_000, 20 * MS),
                Sleeper.napping(),
                threads,
                "serving-test",
                counters);
        engine.serving().work(work);
        engine.start();
    }

    @AfterEach
    void stop() {
        engine.stop(System.nanoTime() + 10_000 * MS);
        assertEquals(null, failed);
    }

    private boolean await(Completion completion) {
        engine.lock();
        try {
            return engine.await(completion, System.nanoTime() + PATIENCE_NANOS);
        } finally {
            engine.unlock();
        }
    }

    private static void done(Completion completion) {
        completion.succeed(0, 0, 0, 0, 1);
    }

    /** Under the lock. */
    private void due(Runnable item, int count) {
        for (int i = 0; i < count; i++) {
            due.add(item);
        }
        engine.serving().due();
    }

    /** Waits inside an item for what only a round brings, after the window. */
    private void waitInside() {
        Completion awaited = new Completion(null);
        long start = System.nanoTime();
        IntSupplier before = round;
        round = () -> {
            if (System.nanoTime() - start > 3 * MS && !awaited.isReached()) {
                done(awaited);
            }
            return 0;
        };
        stuck += await(awaited) ? 0 : 1;
        round = before;
    }

    /** More are due than a leader runs between two rounds. */
    @Test
    void whatALeaderRunsLeadsWhereItWaitsHoweverManyItemsThereAre() {
        open(0);
        Completion all = new Completion(null);
        round = () -> {
            if (ran == 0 && due.isEmpty()) {
                due(
                        () -> {
                            if (ran % 64 == 6) {
                                waitInside();
                            }
                        },
                        200);
            } else if (ran == 200) {
                done(all);
            }
            return 1;
        };
        assertTrue(await(all));
        assertEquals(0, stuck, "waits that made no rounds");
    }

    /** It unlocks as all who call do, and finds the item. */
    @Test
    void whatACallbackOfALeaderFindsDueLeadsToo() {
        open(0);
        Completion all = new Completion(null);
        Completion called = new Completion(null);
        called.attach(new Callback() {
            @Override
            public void ended(Completion completion) {
                engine.lock();
                due(ServingTest.this::waitInside, 1);
                engine.unlock();
            }

            @Override
            public void failed(Throwable cause) {
                failed = cause;
            }
        });
        round = () -> {
            if (!called.isReached()) {
                engine.callbackWanted(called);
                done(called);
                engine.callLater(called);
            } else if (ran == 1) {
                done(all);
            }
            return 1;
        };
        assertTrue(await(all));
        assertEquals(0, stuck, "waits that made no rounds");
    }

    private void whatIsFoundDueBeforeASleepMayWait(int threads) {
        Completion all = new Completion(null);
        round = () -> {
            if (ran == 1 && !all.isReached()) {
                done(all);
            }
            return 0;
        };
        atArming = () -> {
            atArming = () -> {};
            due(this::waitInside, 1);
        };
        // Its thread may arm at once, and what waits inside replaces the round.
        open(threads);
        assertTrue(await(all));
        assertEquals(0, stuck, "waits that nobody made rounds for");
    }

    /** The thread that waits is the one that is to make progress for all who are parked. */
    @Test
    void aThreadOfTheDeviceMayWaitInsideWhatItRunsWithoutTheLead() {
        whatIsFoundDueBeforeASleepMayWait(1);
    }

    @Test
    void soMayAThreadThatStartedWhenACallerParked() {
        whatIsFoundDueBeforeASleepMayWait(0);
    }

    /** It sleeps meanwhile, as if nothing were due, and a call runs it. */
    @Test
    void aThreadThatMovesWhatNobodyWaitsForRunsNoWork() throws Exception {
        open(0);
        Completion unseen = new Completion(null);
        CountDownLatch asleep = new CountDownLatch(1);
        AtomicInteger armed = new AtomicInteger();
        atArming = () -> {
            if (armed.incrementAndGet() == 3) {
                asleep.countDown();
            }
        };
        AtomicInteger rounds = new AtomicInteger();
        round = () -> {
            if (rounds.getAndIncrement() == 0) {
                due(() -> {}, 1);
                return 1;
            }
            return 0;
        };
        engine.lock();
        engine.goesOn(unseen);
        engine.unlock();
        assertTrue(asleep.await(10, TimeUnit.SECONDS), "no thread slept");
        engine.lock();
        int ranByThread = ran;
        engine.unlock();
        assertEquals(0, ranByThread);
        assertEquals(1, ran);
        engine.lock();
        done(unseen);
        boolean isWanted = engine.wantsThread();
        engine.unlock();
        assertFalse(isWanted, "nothing is left to move");
    }

    /** The program's code parks for its own reasons, and is given what was to end the thread's next park. */
    @Test
    void aThreadThatWasAskedWhileItRanAnItemTakesOverAfterwards() throws Exception {
        open(0);
        CountDownLatch inside = new CountDownLatch(1);
        Completion called = new Completion(null);
        Completion awaited = new Completion(null);
        called.attach(new RequestFuture());
        round = () -> {
            if (!called.isReached()) {
                // More than is run before the callback, after which the thread isn't needed any more.
                due(
                        () -> {
                            if (ran == 70) {
                                LockSupport.parkNanos(MS);
                                LockSupport.parkNanos(MS);
                                inside.countDown();
                                LockSupport.park();
                            }
                        },
                        100);
                done(called);
                engine.callLater(called);
            } else if (inside.getCount() == 0
                    && !awaited.isReached()
                    && Thread.currentThread().getName().startsWith("serving-test")) {
                done(awaited);
            }
            return 0;
        };
        engine.lock();
        engine.callbackWanted(awaited);
        engine.unlock();
        inside.await();
        assertTrue(await(awaited), "nobody leads, and somebody waits");
    }

    /** As in a task of an executor, which leaves other work to others; with traffic it would lead for ever. */
    @Test
    void whoMayNotRunWhatIsDueLetsOthersLead() {
        open(0);
        Completion all = new Completion(null);
        Thread self = Thread.currentThread();
        runsHere = () -> Thread.currentThread() != self;
        round = () -> {
            if (ran == 0 && due.isEmpty()) {
                due(() -> {}, 1);
            } else if (ran == 1 && !all.isReached()) {
                done(all);
            }
            return 1;
        };
        assertTrue(await(all));
    }

    /**
     * Items that come one at a time, long after the call has parked: the device's thread sleeps after each round that
     * brings none.
     */
    @Test
    void aCallThatServesGoesOnByItselfOnceSomethingIsDue() {
        open(0);
        Completion end = new Completion(null);
        Thread self = Thread.currentThread();
        int[] ranByOthers = new int[1];
        Runnable item = () -> {
            if (Thread.currentThread() == self || ++ranByOthers[0] == 100_000) {
                engine.lock();
                done(end);
                engine.unlock();
            }
        };
        round = () -> {
            if (counters.get(Counter.PARKS) == 0 || !due.isEmpty() || end.isReached()) {
                return 0;
            }
            due(item, 1);
            return 1;
        };
        engine.lock();
        try {
            engine.serveUntil(end);
        } finally {
            engine.unlock();
        }
        assertTrue(ranByOthers[0] < 100_000, "the device's thread runs them all");
    }

    /** Handlers are the device's threads' where there are such. */
    @Test
    void aCallThatServesStaysParkedWhereThreadsOfTheDeviceRunWhatIsDue() {
        open(1);
        Completion end = new Completion(null);
        round = () -> {
            if (counters.get(Counter.PARKS) == 0 || !due.isEmpty() || end.isReached()) {
                return 0;
            }
            due(
                    () -> {
                        if (ran == 1000) {
                            engine.lock();
                            done(end);
                            engine.unlock();
                        }
                    },
                    1);
            return 1;
        };
        engine.lock();
        try {
            engine.serveUntil(end);
        } finally {
            engine.unlock();
        }
        assertEquals(1, counters.get(Counter.PARKS));
    }

    /**
     * What comes while the device's thread asks to be rung is for the call that is parked, which alone may run it here:
     * it is called, and nobody sleeps.
     */
    @Test
    void nobodySleepsOverWhatBecameDueWhileItArmed() {
        open(0);
        Completion end = new Completion(null);
        Thread self = Thread.currentThread();
        runsHere = () -> Thread.currentThread() == self;
        long[] sleeps = {-1};
        atArming = () -> {
            if (counters.get(Counter.PARKS) != 0 && due.isEmpty() && ran == 0) {
                due(
                        () -> {
                            sleeps[0] = counters.get(Counter.SLEEPS);
                            engine.lock();
                            done(end);
                            engine.unlock();
                        },
                        1);
            }
        };
        engine.lock();
        try {
            engine.serveUntil(end);
        } finally {
            engine.unlock();
        }
        assertEquals(0, sleeps[0], "it went to sleep with the item due");
    }
}
