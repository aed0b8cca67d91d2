package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.ib.queue.WorkIds;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Hands all calls of one rank on, but a test may gather completions before the rank looks, which then finds them all,
 * whenever they came.
 */
final class GatheredCompletions {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int MOST = 256;

    private final VerbsCalls below;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(MOST * VerbsLayout.WC_BYTES);
    private volatile long queue;
    private int first;
    private int end;

    GatheredCompletions(VerbsCalls below) {
        this.below = below;
    }

    VerbsCalls calls() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
    }

    /** Until so many of sends are there; others may be among them. In the thread that makes the rank's progress. */
    void awaitSends(int count) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (int found = 0; found < count; ) {
            int more = below.poll(queue, MOST - end, at(end));
            assertTrue(
                    more >= 0 && System.nanoTime() < deadline,
                    "poll returns " + more + " after " + found + " of " + count);
            for (int until = end + more; end < until; end++) {
                found += WorkIds.what(Memory.getLong(at(end) + VerbsLayout.WC_WR_ID)) == WorkIds.SEND ? 1 : 0;
            }
        }
    }

    private long at(int index) {
        return Memory.address(memory) + (long) index * VerbsLayout.WC_BYTES;
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("poll") && first < end) {
            return handOn((int) arguments[1], (long) arguments[2]);
        }
        try {
            Object result = method.invoke(below, arguments);
            if (method.getName().equals("createCompletionQueue")) {
                queue = (long) result;
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private int handOn(int most, long to) {
        int count = Math.min(most, end - first);
        Memory.copy(null, at(first), null, to, (long) count * VerbsLayout.WC_BYTES);
        first += count;
        if (first == end) {
            first = 0;
            end = 0;
        }
        return count;
    }
}
