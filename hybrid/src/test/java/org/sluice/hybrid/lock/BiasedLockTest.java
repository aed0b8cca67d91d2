package org.sluice.hybrid.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.channel.Fences;
import org.sluice.jni.os.FenceEverywhere;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

@Tag("once")
@Timeout(60)
final class BiasedLockTest {
    private static final int OFTEN_ENOUGH = 5000;

    /** Plain on purpose: only the lock keeps them right. */
    private long first;

    private long second;

    private static Fences real() {
        OsCalls os = Os.calls();
        assumeTrue(FenceEverywhere.isKnown(os), "this kernel has no process-wide fence");
        assertEquals(0, FenceEverywhere.register(os));
        assertEquals(0, FenceEverywhere.registerOwn(os));
        return Fences.asymmetric(new FenceEverywhere(os));
    }

    @Test
    void oneHolderAtATime() throws Exception {
        keepsOthersOut(new BiasedLock(real()), 3, 2000);
    }

    @Test
    void oneHolderAtATimeWithoutProcessWideFence() throws Exception {
        keepsOthersOut(new BiasedLock(Fences.SYMMETRIC), 3, 1000);
    }

    /**
     * One thread has the bias nearly all the time, others come now and then: each coming is a removal in the middle of
     * things.
     */
    @Test
    void oneHolderAtATimeWhereTheBiasIsRemovedNowAndThen() throws Exception {
        long seed = System.nanoTime();
        BiasedLock lock = new BiasedLock(real());
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong entered = new AtomicLong();
        AtomicInteger wrong = new AtomicInteger();
        Thread owner = new Thread(() -> {
            while (!stop.get()) {
                lock.lock();
                entered.addAndGet(touch(wrong));
                lock.unlock();
            }
        });
        owner.start();
        SplittableRandom random = new SplittableRandom(seed);
        long end = System.nanoTime() + 2_000_000_000L;
        long mine = 0;
        while (System.nanoTime() < end) {
            if (random.nextBoolean()) {
                lock.lock();
                mine += touch(wrong);
                lock.unlock();
            } else if (lock.tryLock()) {
                mine += touch(wrong);
                lock.unlock();
            }
            for (long since = System.nanoTime(), pause = random.nextInt(400_000); System.nanoTime() - since < pause; ) {
                Thread.onSpinWait();
            }
        }
        stop.set(true);
        owner.join();
        assertEquals(0, wrong.get(), "seed " + seed);
        assertEquals(entered.get() + mine, first, "seed " + seed);
    }

    private long touch(AtomicInteger wrong) {
        long before = first;
        first = before + 1;
        long other = second;
        second = other + 1;
        if (before != other) {
            wrong.incrementAndGet();
        }
        return 1;
    }

    private void keepsOthersOut(BiasedLock lock, int threads, long millis) throws Exception {
        long seed = System.nanoTime();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger wrong = new AtomicInteger();
        AtomicLong total = new AtomicLong();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            SplittableRandom random = new SplittableRandom(seed + i);
            Thread thread = new Thread(() -> {
                long count = 0;
                while (!stop.get()) {
                    // Long enough in a row for the bias, then away for a while.
                    for (int burst = random.nextInt(4 * OFTEN_ENOUGH); burst > 0; burst--) {
                        if (random.nextInt(8) == 0) {
                            if (!lock.tryLock()) {
                                continue;
                            }
                        } else {
                            lock.lock();
                        }
                        count += touch(wrong);
                        lock.unlock();
                    }
                    for (long since = System.nanoTime(), pause = random.nextInt(200_000);
                            System.nanoTime() - since < pause; ) {
                        Thread.onSpinWait();
                    }
                }
                total.addAndGet(count);
            });
            running.add(thread);
            thread.start();
        }
        Thread.sleep(millis);
        stop.set(true);
        for (Thread thread : running) {
            thread.join();
        }
        assertEquals(0, wrong.get(), "seed " + seed);
        assertEquals(total.get(), first, "seed " + seed);
        assertEquals(total.get(), second, "seed " + seed);
    }

    @Test
    void tryLockFailsWhileAnotherThreadIsInsideByItsBias() throws Exception {
        BiasedLock lock = new BiasedLock(real());
        for (int i = 0; i < OFTEN_ENOUGH; i++) {
            lock.lock();
            lock.unlock();
        }
        lock.lock();
        boolean[] got = new boolean[1];
        Thread other = new Thread(() -> got[0] = lock.tryLock());
        other.start();
        other.join();
        assertFalse(got[0]);
        lock.unlock();
        other = new Thread(() -> {
            lock.lock();
            lock.unlock();
            got[0] = lock.tryLock();
            lock.unlock();
        });
        other.start();
        other.join();
        assertTrue(got[0]);
    }

    /** By the bias, or by the atomic operation: its owner lives on, or has ended, and is in no call. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aLockThatItsOwnerLeftIsTaken(boolean isBiased, boolean hasEnded) throws Exception {
        BiasedLock lock = new BiasedLock(isBiased ? real() : Fences.SYMMETRIC);
        AtomicReference<Thread> told = new AtomicReference<>();
        lock.onOrphaned(told::set);
        FutureTask<Void> leaving = new FutureTask<>(
                () -> {
                    for (int i = 0; isBiased && i < OFTEN_ENOUGH; i++) {
                        lock.lock();
                        lock.unlock();
                    }
                    lock.lock();
                },
                null);
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(leaving);
        leaving.get();
        if (hasEnded) {
            pool.shutdown();
            assertTrue(pool.awaitTermination(30, TimeUnit.SECONDS));
        }
        lock.lock();
        assertTrue(told.get() != null && told.get() != Thread.currentThread());
        boolean[] got = {true};
        Thread other = new Thread(() -> got[0] = lock.tryLock());
        other.start();
        other.join();
        assertFalse(got[0]);
        lock.unlock();
        pool.shutdown();
        keepsOthersOut(lock, 2, 500);
    }

    @Test
    void aThreadThatLeftALockTakesItAgain() {
        BiasedLock lock = new BiasedLock(Fences.SYMMETRIC);
        AtomicReference<Thread> told = new AtomicReference<>();
        lock.onOrphaned(told::set);
        lock.lock();
        lock.lock();
        assertEquals(Thread.currentThread(), told.get());
        lock.unlock();
        assertTrue(lock.tryLock());
    }

    /** Longer than it takes to look where the owner is. */
    @Test
    void aLockThatIsHeldForLongIsNotTaken() throws Exception {
        BiasedLock lock = new BiasedLock(Fences.SYMMETRIC);
        lock.onOrphaned(owner -> second++);
        lock.lock();
        Thread other = new Thread(() -> {
            lock.lock();
            first++;
            lock.unlock();
        });
        other.start();
        other.join(500);
        assertEquals(0, first + second);
        lock.unlock();
        other.join();
        assertEquals(1, first + second);
    }

    /**
     * What blocks it may be a monitor of the JDK's: of a flight recorder, of a class that is loaded, of a stream that
     * is printed to.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aVirtualThreadThatWasBlockedInsideComesBackAmongManyThatWait(boolean areInterrupted) throws Exception {
        assumeTrue(
                Runtime.version().feature() >= 21,
                "virtual threads came with JDK 21, and this is "
                        + Runtime.version().feature());
        BiasedLock lock = new BiasedLock(Fences.SYMMETRIC);
        // By reflection, as the tests are compiled for 17.
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        AtomicBoolean mayLeave = new AtomicBoolean();
        AtomicInteger entered = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        all.add((Thread) start.invoke(null, (Runnable) () -> {
            lock.lock();
            entered.incrementAndGet();
            while (!mayLeave.get()) {
                LockSupport.park();
            }
            lock.unlock();
        }));
        while (entered.get() == 0) {
            Thread.sleep(1);
        }
        for (int i = 0; i < 100; i++) {
            all.add((Thread) start.invoke(null, (Runnable) () -> {
                lock.lock();
                entered.incrementAndGet();
                lock.unlock();
            }));
        }
        if (areInterrupted) {
            all.subList(1, all.size()).forEach(Thread::interrupt);
        }
        Thread.sleep(50);
        mayLeave.set(true);
        LockSupport.unpark(all.get(0));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (Thread thread : all) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
        assertEquals(all.size(), entered.get());
    }
}
