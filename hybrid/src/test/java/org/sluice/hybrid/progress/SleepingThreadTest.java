package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.RequestFuture;
import org.sluice.hybrid.request.Waiting;

/**
 * What others do while the progress thread is about to sleep: the test does it in the thread's place, between its
 * arming and its sleep.
 */
@Timeout(60)
final class SleepingThreadTest {
    private static final long MS = 1_000_000;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    /** Somebody wants to be called back for it, so that the thread leads; it finds nothing and sleeps. */
    private final Completion wanted = new Completion(null);
    /** What one round did; then there is nothing. */
    private volatile int found;

    private volatile boolean waitsForRoom;
    private volatile boolean isPulling;
    private volatile Throwable failed;
    /** Instead of the first sleep; later ones are naps. */
    private volatile Sleeper firstSleep;

    private final Duty duty = new Duty() {
        @Override
        public int work() {
            int now = found;
            found = 0;
            return now;
        }

        @Override
        public int lookFor(Goal goal) {
            return -1;
        }

        @Override
        public boolean waitsForRoom() {
            return waitsForRoom;
        }

        @Override
        public boolean isPulling() {
            return isPulling;
        }

        @Override
        public void arm() {}

        @Override
        public void checkPeers() {}

        @Override
        public void fail(Throwable cause) {
            failed = cause;
        }
    };
    private final WaitWord word = new WaitWord(Memory.address(memory), memory, null);
    private final ProgressEngine engine = new ProgressEngine(
            duty,
            word,
            new WaitPolicy(0, 60_000 * MS, 20 * MS, true, null, WaitPolicy.ANY_NUMBER),
            this::sleep,
            0,
            "sleeping-thread-test",
            new Counters());

    private void sleep(WaitWord word, int sequence, long nanos) {
        Sleeper first = firstSleep;
        firstSleep = null;
        if (first == null) {
            Sleeper.napping().sleep(word, sequence, nanos);
        } else {
            first.sleep(word, sequence, nanos);
        }
    }

    private void want() {
        callBack(wanted);
    }

    private void callBack(Completion completion) {
        engine.lock();
        try {
            completion.attach(new RequestFuture());
            engine.callbackWanted(completion);
        } finally {
            engine.unlock();
        }
    }

    private void await(Completion completion) {
        engine.lock();
        try {
            engine.await(completion, Waiting.FOREVER);
        } finally {
            engine.unlock();
        }
    }

    private void done(Completion completion) {
        engine.lock();
        try {
            if (completion.succeed(0, 0, 0, 0, 1)) {
                engine.callLater(completion);
            }
        } finally {
            engine.unlock();
        }
    }

    @AfterEach
    void stop() {
        if (!wanted.isReached()) {
            done(wanted);
        }
        engine.stop(System.nanoTime() + 10_000_000_000L);
    }

    /** @return what the word's sequence was for the sleeper, and what it is once somebody has called */
    private int[] callBesideASleeper(Runnable call) throws Exception {
        CompletableFuture<int[]> sequences = new CompletableFuture<>();
        firstSleep = (word, sequence, nanos) -> {
            call.run();
            sequences.complete(new int[] {sequence, word.sequence()});
        };
        want();
        return sequences.get(20, TimeUnit.SECONDS);
    }

    private int[] progressBesideASleeper(int did) throws Exception {
        return callBesideASleeper(() -> {
            found = did;
            assertEquals(did != 0, engine.progressOnce());
        });
    }

    /** What came may have let peers write again where nobody is rung: the sleeper has to ask them again. */
    @Test
    void whoFindsSomethingBesideASleeperWakesIt() throws Exception {
        int[] sequences = progressBesideASleeper(1);
        assertNotEquals(sequences[0], sequences[1], "it would sleep, for up to 100 ms");
    }

    @Test
    void whoFindsNothingLetsItSleep() throws Exception {
        int[] sequences = progressBesideASleeper(0);
        assertEquals(sequences[0], sequences[1]);
    }

    /** It looks again by itself, and soon. */
    @Test
    void whoFindsSomethingBesideANapLetsItSleep() throws Exception {
        waitsForRoom = true;
        int[] sequences = progressBesideASleeper(1);
        assertEquals(sequences[0], sequences[1]);
    }

    /** What comes rings. */
    @Test
    void whoWantsToBeCalledBackForWhatIsToComeLetsItSleep() throws Exception {
        Completion second = new Completion(null);
        int[] sequences = callBesideASleeper(() -> callBack(second));
        assertEquals(sequences[0], sequences[1]);
        done(second);
    }

    /** Its pieces are this rank's own to move. */
    @Test
    void whoWantsToBeCalledBackForALongMessageThatIsThereWakesASleeper() throws Exception {
        Completion second = new Completion(null);
        int[] sequences = callBesideASleeper(() -> {
            isPulling = true;
            callBack(second);
            isPulling = false;
        });
        assertNotEquals(sequences[0], sequences[1], "it would sleep, for up to 100 ms");
        done(second);
    }

    @Test
    void whoBeginsToMoveALongMessageWakesASleeper() throws Exception {
        int[] sequences = callBesideASleeper(() -> {
            engine.lock();
            isPulling = true;
            engine.unlock();
            isPulling = false;
        });
        assertNotEquals(sequences[0], sequences[1], "it would sleep, for up to 100 ms");
    }

    /**
     * Who waited has got what it waited for, and may only poll from now on: a sender that rings makes a system call.
     */
    @Test
    void whenTheThreadIsNoLongerNeededSendersNeedNotRing() throws Exception {
        CompletableFuture<Thread> sleeper = new CompletableFuture<>();
        firstSleep = (word, sequence, nanos) -> {
            done(wanted);
            sleeper.complete(Thread.currentThread());
        };
        want();
        Thread thread = sleeper.get(20, TimeUnit.SECONDS);
        while (!(LockSupport.getBlocker(thread) instanceof ProgressThreads)) {
            Thread.onSpinWait();
        }
        assertFalse(word.ringIfSleeping(), "nobody sleeps any more");
    }

    /** Somebody took the lead meanwhile, and has it still. */
    @Test
    void aSleepThatThrowsEndsNobodyElsesLead() throws Exception {
        Completion other = new Completion(null);
        RuntimeException thrown = new IllegalStateException("no sleep");
        Thread[] leader = new Thread[1];
        firstSleep = (word, sequence, nanos) -> {
            leader[0] = new Thread(() -> await(other), "leader");
            leader[0].start();
            while (!engine.isLed()) {
                Thread.onSpinWait();
            }
            throw thrown;
        };
        want();
        while (failed == null) {
            Thread.onSpinWait();
        }
        assertSame(thrown, failed);
        boolean isLed = engine.isLed();
        done(other);
        leader[0].join();
        assertTrue(isLed, "its leader is still at it");
    }
}
