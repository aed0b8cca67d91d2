package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Fences;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Guard;
import org.sluice.hybrid.request.RequestFuture;

final class CallbacksTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int MANY = 1000;

    private final ProgressLock lock = new ProgressLock(Fences.SYMMETRIC);
    private final Guard guard = new Guard();
    private final Needs needs = new Needs(false);
    private final Callbacks callbacks = new Callbacks(needs, null, guard, new WaitLog());
    private final List<Integer> told = new ArrayList<>();

    private List<Completion> wanted(int from, int count) {
        List<Completion> all = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            int number = i;
            Completion completion = new Completion(null);
            callbacks.want(completion);
            completion.attach(new Callback() {
                @Override
                public void ended(Completion over) {
                    told.add(number);
                }

                @Override
                public void failed(Throwable cause) {
                    throw new AssertionError(cause);
                }
            });
            all.add(completion);
        }
        return all;
    }

    private void end(List<Completion> all) {
        for (int i = 0; i < all.size(); i++) {
            assertTrue(all.get(i).succeed(0, 0, 0, 0, 1));
            callbacks.add(all.get(i));
        }
    }

    private void tell() {
        lock.lock();
        callbacks.runAndUnlock(lock);
    }

    /** So it is told also where there is no memory left. */
    @Test
    void anEndAllocatesNothingHoweverManyWait() {
        long least = Long.MAX_VALUE;
        // The first have to load what they use.
        for (int i = 0; i < 5; i++) {
            CallbacksTest fresh = new CallbacksTest();
            List<Completion> all = fresh.wanted(0, MANY);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            fresh.end(all);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least, "bytes");
    }

    @Test
    void allAreToldInTheOrderOfTheirEnds() {
        List<Integer> expected = new ArrayList<>();
        List<Completion> open = wanted(0, 5);
        int next = 5;
        for (int round = 1; round < 60; round++) {
            // Fewer end than come, so that the ring grows wherever its begin is.
            List<Completion> more = wanted(next, 3);
            next += 3;
            open.addAll(more);
            List<Completion> over = new ArrayList<>(open.subList(0, 2));
            open.subList(0, 2).clear();
            end(over);
            expected.add(2 * round - 2);
            expected.add(2 * round - 1);
            if (round % 7 == 0) {
                tell();
                assertEquals(expected, told);
            }
        }
        end(open);
        for (int i = expected.size(); i < next; i++) {
            expected.add(i);
        }
        tell();
        assertEquals(expected, told);
        assertFalse(needs.any(), "nobody waits any more");
    }

    /** In the hands of a call that the stack ended: nobody has it in a list any more. */
    @Test
    void whatIsLostEndsWithTheDevice() throws Exception {
        Completion lost = new Completion(null);
        RequestFuture future = new RequestFuture();
        callbacks.want(lost);
        lost.attach(future);
        endLost();
        assertFails(future);
        assertFalse(needs.any(), "nobody waits any more");
        endLost();
    }

    /** It had ended, and the call was left before that was noted. */
    @Test
    void whatEndedAndWasNotNotedIsTold() throws Exception {
        Completion over = new Completion(null);
        RequestFuture future = new RequestFuture();
        callbacks.want(over);
        over.attach(future);
        over.succeed(5, 3, 4, 6, 1);
        endLost();
        assertEquals(4, future.get(1, TimeUnit.SECONDS).tag());
        assertFalse(needs.any(), "nobody waits any more");
    }

    /** The end of the device has others to tell first: nobody may come again for the one that was lost. */
    @Test
    void whatIsLostIsToldBesideOthers() throws Exception {
        Completion lost = new Completion(null);
        RequestFuture future = new RequestFuture();
        callbacks.want(lost);
        lost.attach(future);
        List<Completion> others = wanted(0, 3);
        end(others);
        endLost();
        assertFails(future);
        assertFalse(needs.any(), "nobody waits any more");
        assertEquals(List.of(0, 1, 2), told);
    }

    /** Where the stack ends as somebody is told: that is noticed, and he is told by another. */
    @Test
    void whoCouldNotBeToldIsToldAgain() {
        Completion over = new Completion(null);
        int[] tries = {0};
        callbacks.want(over);
        over.attach(new Callback() {
            @Override
            public void ended(Completion completion) {
                if (++tries[0] == 1) {
                    throw new StackOverflowError("as it is told");
                }
            }

            @Override
            public void failed(Throwable cause) {
                throw (StackOverflowError) cause;
            }

            @Override
            public boolean isWaiting() {
                return tries[0] < 2;
            }
        });
        end(List.of(over));
        tell();
        assertEquals(1, tries[0]);
        assertTrue(guard.caught instanceof StackOverflowError, guard.toString());
        endLost();
        assertEquals(2, tries[0]);
        endLost();
        assertEquals(2, tries[0]);
    }

    /** Else a program that has once had many would keep what they got. */
    @Test
    void whatWasToldIsForgotten() throws Exception {
        List<WeakReference<Completion>> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Completion completion = new Completion(null);
            callbacks.want(completion);
            completion.attach(new RequestFuture());
            end(List.of(completion));
            all.add(new WeakReference<>(completion));
        }
        tell();
        System.gc();
        for (int i = 0; i < 100 && all.stream().anyMatch(each -> each.get() != null); i++) {
            Thread.sleep(20);
            System.gc();
        }
        assertTrue(all.stream().allMatch(each -> each.get() == null), "kept");
    }

    private void endLost() {
        lock.lock();
        callbacks.endLost(Failure.ofDevice(new StackOverflowError()));
        callbacks.runAndUnlock(lock);
    }

    private static void assertFails(RequestFuture future) {
        ExecutionException thrown = assertThrows(ExecutionException.class, () -> future.get(1, TimeUnit.SECONDS));
        assertEquals(ErrorCode.DEVICE_FAILED, ((SluiceException) thrown.getCause()).code());
    }
}
