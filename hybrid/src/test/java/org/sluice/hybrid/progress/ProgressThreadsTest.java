package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.RequestFuture;
import org.sluice.hybrid.request.Waiting;

/**
 * Where the system has no thread for a device, where somebody interrupts the one that it has, and where it has several.
 */
@Timeout(20)
final class ProgressThreadsTest {
    private static final long MS = 1_000_000;

    /** As at a limit of threads: {@code left} of them start, and no more. */
    private static final class Limited implements ThreadFactory {
        private final List<Thread> started = Collections.synchronizedList(new ArrayList<>());
        private final AtomicInteger attempts = new AtomicInteger();
        private final int left;

        Limited(int left) {
            this.left = left;
        }

        @Override
        public Thread newThread(Runnable body) {
            return new Thread(body) {
                @Override
                public void start() {
                    attempts.incrementAndGet();
                    if (started.size() == left) {
                        throw new OutOfMemoryError("unable to create native thread, by this test");
                    }
                    started.add(this);
                    super.start();
                }
            };
        }
    }

    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private final Counters counters = new Counters();
    private volatile IntSupplier work = () -> 0;
    /** What a look at the peers does: there are none. */
    private volatile Runnable checks = () -> {};

    private final Duty duty = new Duty() {
        @Override
        public int work() {
            return work.getAsInt();
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
            // Nobody sends.
        }

        @Override
        public void checkPeers() {
            checks.run();
        }

        @Override
        public void fail(Throwable cause) {
            throw new AssertionError(cause);
        }
    };
    private ProgressEngine engine;

    private ProgressEngine engine(int count, ThreadFactory factory) {
        return engine(count, factory, 20_000, Sleeper.napping());
    }

    private ProgressEngine engine(int count, ThreadFactory factory, long spinNanos, Sleeper sleeper) {
        engine = new ProgressEngine(
                duty,
                new WaitWord(Memory.address(memory), memory, null),
                new WaitPolicy(spinNanos, spinNanos, 20 * MS),
                sleeper,
                count,
                "threads-test",
                factory,
                counters);
        return engine;
    }

    @AfterEach
    void stop() {
        engine.stop(System.nanoTime() + 10_000 * MS);
    }

    private boolean await(Goal goal, long deadlineNanos) {
        engine.lock();
        try {
            return engine.await(goal, deadlineNanos);
        } finally {
            engine.unlock();
        }
    }

    /** Ends the goal in a round, once there were some parks. */
    private void doneAfterParks(Completion completion, int parks) {
        work = () -> {
            if (counters.get(Counter.PARKS) < parks || completion.isReached()) {
                return 0;
            }
            completion.succeed(0, 0, 0, 0, 1);
            return 1;
        };
    }

    @Test
    void aWaitWithoutAThreadGoesOnByItself() {
        Limited none = new Limited(0);
        engine(0, none);
        Completion completion = new Completion(null);
        doneAfterParks(completion, 50);
        assertTrue(await(completion, Waiting.FOREVER));
        assertTrue(
                none.attempts.get() < 25,
                none.attempts + " attempts, each of which prints a warning, in 50 naps of a millisecond");
        assertFalse(await(new Completion(null), System.nanoTime() + 5 * MS));
    }

    /** It follows, and parks while another leads; that one leaves it alone. */
    @Test
    void aFollowerWithoutAThreadIsNotLeftBehind() throws Exception {
        engine(0, new Limited(0));
        Completion first = new Completion(null);
        Completion second = new Completion(null);
        work = () -> {
            // The leader's own ends once the other has parked; the other's in a round that the other has to make.
            if (!first.isReached() && counters.get(Counter.PARKS) != 0) {
                first.succeed(0, 0, 0, 0, 1);
                return 1;
            }
            if (first.isReached() && !second.isReached()) {
                second.succeed(0, 0, 0, 0, 1);
                return 1;
            }
            return first.isReached() ? 0 : 1;
        };
        Thread leader = new Thread(() -> await(first, Waiting.FOREVER), "leader");
        leader.start();
        while (!engine.isLed()) {
            Thread.onSpinWait();
        }
        assertTrue(await(second, Waiting.FOREVER));
        leader.join();
    }

    @Test
    void withoutAThreadThereIsNoFuture() {
        engine(0, new Limited(0));
        engine.lock();
        try {
            SluiceException thrown =
                    assertThrows(SluiceException.class, () -> engine.callbackWanted(new Completion(null)));
            assertEquals(ErrorCode.NO_MEMORY, thrown.code());
            assertTrue(thrown.getMessage().contains("ulimit -u"), thrown.getMessage());
        } finally {
            engine.unlock();
        }
    }

    @Test
    void controlPacketsThatWaitDoNotFailWhoUnlocks() {
        engine(0, new Limited(0));
        engine.lock();
        engine.controlsWait();
        engine.unlock();
        work = () -> 1;
        assertTrue(engine.progressOnce(), "the lock is free");
    }

    @Test
    void ofThreadsThatAreAskedForAllStartOrNone() {
        Limited two = new Limited(2);
        engine(3, two);
        assertEquals(
                ErrorCode.NO_MEMORY,
                assertThrows(SluiceException.class, engine::start).code());
        assertEquals(2, two.started.size());
        for (Thread thread : two.started) {
            assertFalse(thread.isAlive(), thread + " goes on");
        }
    }

    /** Counts who is inside; a ring ends it, as it does natively. */
    private static final class Counting implements Sleeper {
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger sleeps = new AtomicInteger();

        @Override
        public void sleep(WaitWord word, int sequence, long nanos) {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            sleeps.incrementAndGet();
            long end = System.nanoTime() + nanos;
            while (word.sequence() == sequence && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(20_000);
            }
            inside.decrementAndGet();
        }
    }

    /**
     * With a core for each rank and a thread that polls beside the one that waits, whoever spins holds up the other.
     */
    @Test
    void theThreadYieldsWhileACallerWaitsForWhomThereIsNoCore() {
        AtomicInteger yields = new AtomicInteger();
        Sleeper sleeper = new Sleeper() {
            @Override
            public void sleep(WaitWord word, int sequence, long nanos) {
                Sleeper.napping().sleep(word, sequence, nanos);
            }

            @Override
            public void yieldCore() {
                yields.incrementAndGet();
            }
        };
        WaitPolicy policy = new WaitPolicy(60_000 * MS, 10_000 * MS, 20 * MS, false, null, 1);
        engine = new ProgressEngine(
                duty,
                new WaitWord(Memory.address(memory), memory, null),
                policy,
                sleeper,
                1,
                "threads-test",
                new Limited(1),
                counters);
        engine.start();
        LockSupport.parkNanos(20 * MS);
        assertEquals(0, yields.get(), "nobody waits");
        assertFalse(await(new Completion(null), System.nanoTime() + 20 * MS));
        assertTrue(yields.get() > 0, "it spins all the same");
        int before = yields.get();
        LockSupport.parkNanos(20 * MS);
        assertTrue(yields.get() <= before + 1, "nobody waits any more");
    }

    /**
     * Each that parks asks for somebody who leads; the one that sleeps is the one who hears it, whether or not there is
     * a window before its sleep.
     */
    @ParameterizedTest
    @ValueSource(longs = {0, 20_000, 500_000})
    void ofSeveralThreadsOneAtMostSleeps(long spinNanos) throws Exception {
        Counting sleeper = new Counting();
        engine(3, new Limited(3), spinNanos, sleeper);
        engine.start();
        List<Completion> awaited = List.of(new Completion(null), new Completion(null), new Completion(null));
        List<Thread> waiters = new ArrayList<>();
        for (Completion each : awaited) {
            int asleep = sleeper.sleeps.get();
            Thread waiter = new Thread(() -> await(each, Waiting.FOREVER));
            waiters.add(waiter);
            waiter.start();
            while (counters.get(Counter.PARKS) < waiters.size() || sleeper.sleeps.get() == asleep) {
                Thread.sleep(1);
            }
        }
        Thread.sleep(300);
        assertEquals(1, sleeper.most.get(), "threads of the device that slept at once");
        work = () -> {
            int ended = 0;
            for (Completion each : awaited) {
                if (!each.isReached()) {
                    each.succeed(0, 0, 0, 0, 1);
                    ended++;
                }
            }
            return ended;
        };
        for (Thread waiter : waiters) {
            waiter.join();
        }
        assertTrue(sleeper.sleeps.get() > 3, sleeper.sleeps + " sleeps");
    }

    /** What a thread without the lead is in may last, and whoever it held up would not be served meanwhile. */
    @Test
    void callbacksRunBeforeASleepAndNotWithinIt() throws Exception {
        Counting sleeper = new Counting();
        engine(2, new Limited(2), 0, sleeper);
        Completion completion = new Completion(null);
        RequestFuture future = new RequestFuture();
        CompletableFuture<Boolean> led = future.thenApply(status -> engine.isLed());
        engine.lock();
        completion.attach(future);
        engine.callbackWanted(completion);
        checks = () -> {
            if (!completion.isReached()) {
                completion.succeed(0, 0, 0, 0, 1);
                engine.callLater(completion);
            }
        };
        engine.unlock();
        engine.start();
        assertTrue(led.get(10, TimeUnit.SECONDS), "nobody leads while it runs");
    }

    private Thread interruptedThread(Limited one, Completion awaited) {
        engine(0, one);
        doneAfterParks(awaited, 1);
        assertTrue(await(awaited, Waiting.FOREVER));
        return one.started.get(0);
    }

    @Test
    void anInterruptOfAThreadThatIsParkedLetsItParkAgain() throws Exception {
        Thread thread = interruptedThread(new Limited(1), new Completion(null));
        while (!(LockSupport.getBlocker(thread) instanceof ProgressThreads)) {
            Thread.onSpinWait();
        }
        thread.interrupt();
        assertIdle(thread);
    }

    @Test
    void anInterruptOfAThreadThatNapsLetsItNapOn() throws Exception {
        Thread thread = interruptedThread(new Limited(1), new Completion(null));
        engine.lock();
        engine.callbackWanted(new Completion(null));
        engine.unlock();
        while (!(LockSupport.getBlocker(thread) instanceof WaitWord)) {
            Thread.onSpinWait();
        }
        thread.interrupt();
        assertIdle(thread);
    }

    private static void assertIdle(Thread thread) throws InterruptedException {
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getThreadCpuTime(thread.getId());
        Thread.sleep(1000);
        long usedMs = (threads.getThreadCpuTime(thread.getId()) - before) / MS;
        assertTrue(usedMs < 300, usedMs + " ms of processor time in a second");
    }
}
