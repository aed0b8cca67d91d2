package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sluice.hybrid.request.AnyOf;
import org.sluice.hybrid.request.Completion;

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
