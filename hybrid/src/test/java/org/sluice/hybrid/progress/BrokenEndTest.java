package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;

/** Where the end of everything throws too, the lock is left all the same. */
@Timeout(20)
final class BrokenEndTest {
    private static final long MS = 1_000_000;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private final IllegalStateException again = new IllegalStateException("by the end itself");
    private int ends;

    private final Duty duty = new Duty() {
        @Override
        public int work() {
            return 0;
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
            // There are none.
        }

        @Override
        public void fail(Throwable cause) {
            ends++;
            throw again;
        }
    };
    private final ProgressEngine engine = new ProgressEngine(duty, new WaitWord(Memory.address(memory), memory, null),
            new WaitPolicy(60_000 * MS, 0, 20 * MS), Sleeper.napping(), 0, "broken-end-test", new Counters());

    /** Work that messages bring, and that breaks. */
    private final class Breaking implements DueWork {
        private final InternalError broken = new InternalError("by the work");

        @Override
        public boolean isDue() {
            return broken.getSuppressed().length == 0;
        }

        @Override
        public boolean runsHere() {
            return true;
        }

        @Override
        public boolean begin() {
            throw broken;
        }

        @Override
        public void run() {
            throw new AssertionError("it did not begin");
        }

        @Override
        public void end() {
            throw new AssertionError("it did not begin");
        }
    }

    private void assertFree() throws Exception {
        CompletableFuture.runAsync(() -> {
            engine.lock();
            engine.unlock();
        }).get(10, TimeUnit.SECONDS);
    }

    @Test
    void theLockIsLeftWhereWorkBreaksAndTheEndToo() throws Exception {
        Breaking work = new Breaking();
        engine.lock();
        engine.serving().work(work);
        engine.serving().due();
        engine.unlock();
        assertEquals(1, ends);
        assertSame(again, work.broken.getSuppressed()[0]);
        assertFree();
    }

    @Test
    void theLockIsLeftWhereACallbackLosesMemoryAndTheEndThrows() throws Exception {
        InternalError lost = new InternalError("a page is gone");
        Completion wanted = new Completion(null);
        engine.lock();
        wanted.attach(new Callback() {
            @Override
            public void ended(Completion completion) {
                throw lost;
            }

            @Override
            public void failed(Throwable cause) {
                assertSame(lost, cause);
            }
        });
        engine.callbackWanted();
        assertTrue(wanted.succeed(0, 0, 0, 0, 1));
        engine.callLater(wanted);
        engine.unlock();
        assertEquals(1, ends);
        assertFree();
        engine.stop(System.nanoTime() + 10_000 * MS);
    }
}
