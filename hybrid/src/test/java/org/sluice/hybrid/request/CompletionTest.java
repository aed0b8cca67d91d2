package org.sluice.hybrid.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;

/** How an operation's end is kept and told. */
final class CompletionTest {
    private static final int MANY = 100_000;
    private static final Failure LOST = new Failure(ErrorCode.PEER_DEAD, 3, "rank 3 died");

    @Test
    void endsOnceAndForAll() {
        Completion completion = new Completion(null);
        assertFalse(completion.isReached());
        assertFalse(completion.succeed(3, 1, 2, 12, 4));
        assertTrue(completion.isReached());
        assertThrows(IllegalStateException.class, () -> completion.succeed(3, 1, 2, 12, 4));
        assertThrows(IllegalStateException.class, () -> completion.fail(LOST, 3, 1, 2, 0, 1));
        Status status = new Status();
        completion.result(status);
        assertEquals(1, status.source());
        assertEquals(2, status.tag());
        assertEquals(3, status.contextId());
        assertEquals(12, status.bytes());
        assertEquals(3, status.count());
        assertEquals(ErrorCode.NONE, completion.error());
    }

    @Test
    void aFailureIsThrownWithWhatArrived() {
        Completion completion = new Completion(null);
        completion.fail(LOST, 0, 3, 7, 5, 1);
        Status status = new Status();
        SluiceException thrown = assertThrows(SluiceException.class, () -> completion.result(status));
        assertEquals(ErrorCode.PEER_DEAD, thrown.code());
        assertEquals(3, thrown.peer());
        assertSame(status, thrown.status());
        assertEquals(5, status.bytes());
        assertEquals(ErrorCode.PEER_DEAD, status.error());
        assertEquals(ErrorCode.PEER_DEAD, completion.error());
    }

    /** What a close says of sends that failed unheard depends on it. */
    @Test
    void onlyTheProgramHearsOfAFailureByItsCode() {
        Failure failure = new Failure(ErrorCode.PEER_CLOSED, 3, "rank 3 has closed its device");
        Completion completion = new Completion(null);
        assertEquals(ErrorCode.NONE, completion.code());
        completion.fail(failure, 0, 3, 7, 0, 1);
        assertEquals(ErrorCode.PEER_CLOSED, completion.code());
        assertFalse(failure.isHeard(), "nobody has told the program");
        assertEquals(ErrorCode.PEER_CLOSED, completion.error());
        assertTrue(failure.isHeard());
    }

    @Test
    void aFutureThatWasCancelledTellsNobody() {
        for (boolean isCancelled : new boolean[] {true, false}) {
            Failure failure = new Failure(ErrorCode.PEER_CLOSED, 3, "rank 3 has closed its device");
            Completion completion = new Completion(null);
            RequestFuture future = new RequestFuture();
            if (isCancelled) {
                future.cancel(false);
            }
            completion.fail(failure, 0, 3, 7, 0, 1);
            future.ended(completion);
            assertEquals(!isCancelled, failure.isHeard());
            assertTrue(future.isCompletedExceptionally());
        }
    }

    @Test
    void aReusableOneIsPendingAgainAfterReset() {
        Completion completion = Completion.reusable(null);
        completion.fail(LOST, 0, 3, 7, 5, 1);
        completion.reset();
        assertFalse(completion.isReached());
        assertEquals(null, completion.failure());
        assertFalse(completion.isPeekable(), "no program holds it");
        completion.succeed(1, 1, 1, 1, 1);
        assertTrue(completion.isReached());
    }

    @Test
    void onlyResultsThatNobodyKnowsCanBePeeked() {
        Completion completion = new Completion(null);
        completion.succeed(1, 1, 1, 1, 1);
        assertTrue(completion.isPeekable());
        completion.result(new Status());
        assertFalse(completion.isPeekable());
    }

    @Test
    void whoIsCalledBackIsAddedOnlyBeforeTheEnd() {
        Completion pending = new Completion(null);
        RequestFuture first = new RequestFuture();
        RequestFuture second = new RequestFuture();
        assertTrue(pending.future(first, first));
        assertTrue(pending.attach(second));
        assertSame(first, pending.future());
        assertTrue(pending.succeed(3, 1, 2, 4, 1), "somebody wants to be called");
        assertFalse(first.isDone(), "not under the lock");
        pending.callback().ended(pending);
        assertEquals(4, first.join().bytes());
        assertEquals(4, second.join().bytes());
        assertFalse(pending.attach(new RequestFuture()));
    }

    @Test
    void whatOneThrowsWhoIsCalledBackKeepsNoOtherFromIt() {
        Completion pending = new Completion(null);
        RequestFuture second = new RequestFuture();
        pending.attach(new Callback() {
            @Override
            public void ended(Completion completion) {
                throw new IllegalStateException("thrown by this test");
            }

            @Override
            public void failed(Throwable cause) {
                throw new UnsupportedOperationException("nobody tells it here");
            }
        });
        pending.attach(second);
        pending.fail(LOST, 3, 1, 2, 0, 1);
        assertNull(Callback.tell(pending.callback(), pending));
        assertTrue(second.isCompletedExceptionally());
    }

    /** On a stack that is as deep for one. */
    @Test
    void manyAreToldInTheOrderInWhichTheyCame() {
        Completion pending = new Completion(null);
        List<Integer> told = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            assertTrue(pending.attach(new Callback() {
                @Override
                public void ended(Completion completion) {
                    told.add(number);
                    throw new IllegalStateException("thrown by this test");
                }

                @Override
                public void failed(Throwable cause) {
                    told.add(-number);
                }
            }));
        }
        pending.succeed(3, 1, 2, 4, 1);
        assertNull(Callback.tell(pending.callback(), pending));
        assertEquals(2 * MANY, told.size());
        for (int i = 0; i < MANY; i++) {
            assertEquals(i, told.get(2 * i));
            assertEquals(-i, told.get(2 * i + 1));
        }
    }

    @Test
    void waitersAreAddedAndRemoved() {
        Completion completion = new Completion(null);
        Thread one = new Thread(() -> {});
        completion.addWaiter(one);
        completion.addWaiter(Thread.currentThread());
        completion.removeWaiter(one);
        completion.removeWaiter(one);
        completion.succeed(1, 1, 1, 1, 1);
        java.util.concurrent.locks.LockSupport.park(this);
        completion.addWaiter(one);
        completion.removeWaiter(one);
        assertTrue(completion.isReached());
    }

    @Test
    void thoseThatWaitAreWhoWasAddedAndNotRemoved() {
        Thread[] threads = new Thread[4];
        Arrays.setAll(threads, i -> new Thread(() -> {}, "waiter-" + i));
        Completion completion = new Completion(null);
        List<Thread> expected = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            Thread thread = threads[random.nextInt(threads.length)];
            if (expected.size() < 6 && random.nextBoolean()) {
                completion.addWaiter(thread);
                expected.add(thread);
            } else {
                completion.removeWaiter(thread);
                expected.remove(thread);
            }
            List<Thread> waiters = new ArrayList<>(List.of(completion.waiters()));
            assertEquals(expected.size(), waiters.size());
            expected.forEach(waiters::remove);
            assertEquals(List.of(), waiters);
        }
    }
}
