package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.Status;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.RequestFuture;
import org.sluice.hybrid.request.Waiting;

/**
 * Letting go of the lock throws nothing, whatever comes up in it: a caller that unlocks once more frees somebody
 * else's.
 */
@Timeout(20)
final class UnlockTest {
    private static final long MS = 1_000_000;

    /** As where there is no memory for a result. */
    private static final class Untellable extends RequestFuture {
        private final Error thrown;

        Untellable(Error thrown) {
            this.thrown = thrown;
        }

        @Override
        public boolean complete(Status status) {
            throw thrown;
        }
    }

    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private final AtomicInteger inside = new AtomicInteger();
    /** How many rounds there were; the 10th ends {@link #wanted}, the 1000th {@link #awaited}. */
    private int rounds;

    private final Completion wanted = new Completion(null);
    private final Completion awaited = new Completion(null);
    private volatile RuntimeException roomUnknown;
    private volatile Throwable failed;

    private final Duty duty = new Duty() {
        @Override
        public int work() {
            assertEquals(1, inside.incrementAndGet(), "one leader at a time");
            try {
                rounds++;
                if (rounds == 10 && wanted.succeed(0, 0, 0, 0, 1)) {
                    engine.callLater(wanted);
                } else if (rounds == 1000) {
                    awaited.succeed(0, 0, 0, 0, 1);
                }
                return 1;
            } finally {
                inside.decrementAndGet();
            }
        }

        @Override
        public int lookFor(Goal goal) {
            return -1;
        }

        @Override
        public boolean waitsForRoom() {
            RuntimeException thrown = roomUnknown;
            roomUnknown = null;
            if (thrown != null) {
                throw thrown;
            }
            return false;
        }

        @Override
        public void arm() {
            // Nobody sends.
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
    private final ProgressEngine engine = new ProgressEngine(
            duty,
            new WaitWord(Memory.address(memory), memory, null),
            new WaitPolicy(60_000 * MS, 0, 20 * MS),
            Sleeper.napping(),
            0,
            "unlock-test",
            new Counters());

    @AfterEach
    void stop() {
        engine.stop(System.nanoTime() + 10_000 * MS);
    }

    private void awaitBeside(RequestFuture future) {
        engine.lock();
        try {
            wanted.attach(future);
            engine.callbackWanted(wanted);
            assertTrue(engine.await(awaited, Waiting.FOREVER));
            assertEquals(0, inside.get(), "nobody else is in a round while this thread has the lock");
        } finally {
            engine.unlock();
        }
    }

    @Test
    void aFutureThatCanNotBeToldEndsBadlyAndDisturbsNobody() {
        Error untold = new LinkageError("by this test");
        RequestFuture future = new Untellable(untold);
        awaitBeside(future);
        assertSame(untold, assertThrows(CompletionException.class, future::join).getCause());
    }

    @Test
    void whatComesUpBeforeTheCallbacksEndsTheDeviceAndNotTheCaller() {
        roomUnknown = new IllegalStateException("by this test");
        Throwable thrown = roomUnknown;
        engine.lock();
        engine.controlsWait();
        engine.unlock();
        assertSame(thrown, failed);
        assertTrue(engine.progressOnce(), "the lock is free");
    }
}
