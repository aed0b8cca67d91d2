package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Fences;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.Guard;
import org.sluice.hybrid.request.RequestFuture;

/**
 * What waits without a thread is in the log from when somebody is attached to its completion to the completion's end.
 */
final class PendingWaitTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int MANY = 100_000;
    private static final int BYTES_EACH = 48;
    private static final long MINUTE = 60_000_000_000L;

    private final ProgressLock lock = new ProgressLock(Fences.SYMMETRIC);
    private final WaitLog log = new WaitLog();
    private final Callbacks callbacks = new Callbacks(new Needs(false), null, new Guard(), log);
    private final List<String> heard = new ArrayList<>();

    /** One of a coroutine. */
    private final class Call implements Callback {
        @Override
        public void ended(Completion over) {
            heard.add("the call");
        }

        @Override
        public void failed(Throwable cause) {
            throw new AssertionError(cause);
        }
    }

    private class Listening implements WaitLog.Listener {
        @Override
        public Object began(Goal goal, String waiter) {
            heard.add(waiter + " begins");
            return waiter;
        }

        @Override
        public void ended(Object began, Goal goal) {
            heard.add(began + " ends " + goal.isReached());
        }
    }

    private Completion waiting(Callback... all) {
        Completion completion = new Completion(null);
        for (Callback each : all) {
            attach(completion, each);
        }
        return completion;
    }

    private void attach(Completion completion, Callback callback) {
        Callback told = log.begin(completion, callback);
        if (completion.callback() == null) {
            callbacks.want(completion);
        }
        assertTrue(completion.attach(told));
        if (told != callback) {
            log.attached(told);
        }
    }

    private void end(Completion completion) {
        assertTrue(completion.succeed(0, 0, 0, 0, 1));
        callbacks.add(completion);
    }

    private void tell() {
        lock.lock();
        callbacks.runAndUnlock(lock);
    }

    @Test
    void whereNobodyWantsToKnowNothingIsLoggedNorAllocated() {
        Completion completion = new Completion(null);
        Callback call = new Call();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int j = 0; j < 1000; j++) {
                assertSame(call, log.begin(completion, call));
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least, "bytes");
        end(waiting(call));
        assertEquals(0, log.pending());
    }

    /** As after a recording. */
    @Test
    void whatItsListenerDoesNotWantIsNotLogged() {
        log.tell(new Listening() {
            @Override
            public Object began(Goal goal, String waiter) {
                return null;
            }
        });
        Callback call = new Call();
        assertSame(call, log.begin(new Completion(null), call));
        log.turnOn();
        assertNotSame(call, log.begin(new Completion(null), call), "but for those who look for stuck ones");
    }

    @Test
    void eachLeavesWithTheEndBeforeAnybodyIsTold() {
        log.turnOn();
        log.tell(new Listening());
        RequestFuture future = new RequestFuture();
        Completion completion = waiting(future, new Call());
        assertEquals(2, log.pending());
        end(completion);
        assertEquals(0, log.pending());
        assertEquals(List.of("future begins", "coroutine begins"), heard);
        tell();
        assertEquals(
                List.of("future begins", "coroutine begins", "future ends true", "coroutine ends true", "the call"),
                heard);
        assertTrue(future.isDone());
    }

    @Test
    void veryManyLeaveInAnyOrderAndTakeLittle() {
        log.turnOn();
        Callback call = new Call();
        List<Completion> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Completion completion = new Completion(null);
            all.add(completion);
            callbacks.want(completion);
        }
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (Completion each : all) {
            Callback told = log.begin(each, call);
            each.attach(told);
            log.attached(told);
        }
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes <= (long) MANY * BYTES_EACH, (double) bytes / MANY + " bytes each");
        assertEquals(MANY, log.countNewLongerThan(-MINUTE));
        assertEquals(0, log.countNewLongerThan(-MINUTE), "once");
        long seed = System.nanoTime();
        Collections.shuffle(all, new Random(seed));
        for (int i = 0; i < MANY; i++) {
            end(all.get(i));
            assertEquals(MANY - 1 - i, log.pending(), () -> "seed " + seed);
        }
        end(waiting(call));
        assertEquals(0, log.countNewLongerThan(-MINUTE));
    }

    @Test
    void aLongWaitIsCountedOnceThoughOthersLeave() {
        log.turnOn();
        List<Completion> first = List.of(waiting(new Call()), waiting(new Call()), waiting(new Call()));
        assertEquals(0, log.countNewLongerThan(MINUTE));
        end(first.get(0));
        assertEquals(2, log.countNewLongerThan(-MINUTE));
        end(first.get(2));
        Completion second = waiting(new Call());
        Completion third = waiting(new Call());
        end(second);
        assertEquals(1, log.countNewLongerThan(-MINUTE));
        end(first.get(1));
        end(third);
        assertEquals(0, log.pending());
    }

    /** By the program: of the request nobody waits any more. */
    @Test
    void aFutureThatIsOverBeforeItsRequestIsNotStuck() {
        log.turnOn();
        log.tell(new Listening());
        RequestFuture future = new RequestFuture();
        Completion completion = waiting(future);
        future.cancel(true);
        assertEquals(0, log.countNewLongerThan(-MINUTE));
        end(completion);
        tell();
        assertEquals(List.of("future begins"), heard);
        assertEquals(0, log.pending());
    }

    @Test
    void aListenerThatComesLaterHearsOfThoseThatWait() {
        RequestFuture future = new RequestFuture();
        Completion unlogged = waiting(new Call(), future);
        log.turnOn();
        Completion logged = waiting(new Call());
        Completion over = waiting(new Call());
        end(over);
        log.tell(new Listening());
        for (int i = 0; i < 2; i++) {
            log.adopt(unlogged);
            log.adopt(logged);
            log.adopt(over);
            assertEquals(List.of("future begins", "coroutine begins", "coroutine begins"), heard, "once");
        }
        assertEquals(3, log.pending());
        end(unlogged);
        end(logged);
        assertEquals(0, log.pending());
        heard.clear();
        tell();
        assertEquals(
                List.of(
                        "the call",
                        "coroutine ends true",
                        "the call",
                        "future ends true",
                        "coroutine ends true",
                        "the call"),
                heard);
        assertTrue(future.isDone());
    }
}
