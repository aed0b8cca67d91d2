package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Fences;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;

final class CallbacksTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int MANY = 1000;

    private final ProgressLock lock = new ProgressLock(Fences.SYMMETRIC);
    private final Needs needs = new Needs(false);
    private final Callbacks callbacks = new Callbacks(needs, null, new WaitLog());
    private final List<Integer> told = new ArrayList<>();

    private List<Completion> wanted(int from, int count) {
        List<Completion> all = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            int number = i;
            Completion completion = new Completion(null);
            callbacks.want();
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
}
