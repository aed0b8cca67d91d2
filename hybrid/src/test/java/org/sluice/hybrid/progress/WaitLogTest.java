package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.hybrid.request.AnyOf;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;

final class WaitLogTest {
    private final WaitLog log = new WaitLog();
    private final Completion one = Completion.reusable(null);
    private final Completion other = Completion.reusable(null);

    @Test
    void nothingIsLoggedBeforeSomebodyWantsToKnow() {
        assertNull(log.begin(one));
        log.end(null);
        assertEquals(0, log.open().size());
    }

    @Test
    void aWaitIsLoggedUntilItIsOver() {
        log.turnOn();
        WaitLog.Wait wait = log.begin(one);
        WaitLog.Wait any = log.begin(new AnyOf(new Completion[] {null, other}));
        assertSame(Thread.currentThread(), wait.thread());
        assertTrue(wait.isFor(one) && !wait.isFor(other) && any.isFor(other) && !any.isFor(one));
        log.end(wait);
        assertEquals(1, log.open().size());
        log.end(any);
        assertFalse(wait.isFor(one));
        assertSame(any, log.begin(one), "a wait that is over is used again");
    }

    /** Memory runs out in a recording, at the begin or at the end. */
    private static final class Failing implements WaitLog.Listener {
        private Error atBegin;
        private Error atEnd;

        @Override
        public Object began(Goal goal, String waiter) {
            if (atBegin != null) {
                throw atBegin;
            }
            return this;
        }

        @Override
        public void ended(Object began, Goal goal) {
            if (atEnd != null) {
                throw atEnd;
            }
        }
    }

    private WaitLog.Wait begun(Completion completion) {
        try {
            return log.begin(completion);
        } catch (OutOfMemoryError e) {
            // Which would end all tests.
            throw new AssertionError("who waits has it", e);
        }
    }

    private void ended(WaitLog.Wait wait) {
        try {
            log.end(wait);
        } catch (OutOfMemoryError e) {
            throw new AssertionError("who has waited has it", e);
        }
    }

    @Test
    void whatAListenerThrowsLeavesNoWaitInTheLog() {
        Failing listener = new Failing();
        log.tell(listener);
        for (Error unlogged : List.of(new OutOfMemoryError("by this test"), new NoClassDefFoundError("by this test"))) {
            listener.atBegin = unlogged;
            assertNull(begun(one), "it goes on unlogged");
            assertEquals(0, log.open().size());
        }
        listener.atBegin = new InternalError("by this test");
        assertSame(listener.atBegin, assertThrows(InternalError.class, () -> log.begin(one)), "of which a device ends");
        assertEquals(0, log.open().size());
        listener.atBegin = null;
        WaitLog.Wait wait = log.begin(one);
        for (Error thrown : List.of(new OutOfMemoryError("by this test"), new NoClassDefFoundError("by this test"))) {
            listener.atEnd = thrown;
            ended(wait);
            assertEquals(0, log.open().size());
            assertSame(wait, log.begin(one), "it is used again");
        }
        listener.atEnd = null;
        ended(wait);
        assertSame(wait, log.begin(other), "it is used again");
        assertTrue(wait.isFor(other));
    }

    @Test
    void whatIsOverIsNotWaitedFor() {
        log.turnOn();
        one.succeed(0, 0, 0, 0, 1);
        assertNull(log.begin(one));
    }

    @Test
    void aLongWaitIsCountedOnce() throws InterruptedException {
        log.turnOn();
        WaitLog.Wait wait = log.begin(one);
        assertEquals(0, log.countNewLongerThan(60_000_000_000L));
        Thread.sleep(2);
        assertEquals(1, log.countNewLongerThan(1_000_000));
        assertEquals(0, log.countNewLongerThan(1_000_000));
        log.end(wait);
        log.begin(other);
        Thread.sleep(2);
        assertEquals(1, log.countNewLongerThan(1_000_000));
    }
}
