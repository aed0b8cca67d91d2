package org.sluice.ib.sleep;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;
import org.sluice.ib.adapter.VerbsFailure;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Waits on the adapter's descriptors, so that a rank that sleeps on its wait word hears of connections, asynchronous events and completions,
 * and a rank that polls needs no system call to know that there is nothing.
 *
 * <p>What is ready is marked in {@link #pending} and not watched again until the poller has taken it and called {@link #taken}. The mark is
 * set before the word's flag is read; the sleeper sets the flag before it looks at the mark: one of the two sees the other.
 * <i>Thread</i>: {@link #pending} any, {@link #taken} under the progress lock; a thread of its own waits. <i>Proof</i>:
 * {@code SleepRxeTest}.
 */
public final class EventWatch implements AutoCloseable {
    public static final int CONNECTION = 1;
    public static final int ASYNC = 2;
    public static final int COMPLETION = 4;

    private static final int KINDS = 3;
    /** Bounds what a lost event would cost. */
    private static final int LOOK_MS = 500;
    private static final int JOIN_MS = 5000;
    private static final long STACK_BYTES = 256 << 10;

    private final VerbsCalls verbs;
    private final WaitWord word;
    private final int[] descriptors;
    private final int bell;
    private final AtomicInteger pending = new AtomicInteger();
    private final Thread thread;
    private volatile boolean closed;

    /** @param descriptors of connection, asynchronous and completion events, in this order */
    public EventWatch(VerbsCalls verbs, WaitWord word, String name, int... descriptors) {
        this.verbs = verbs;
        this.word = word;
        this.descriptors = descriptors;
        bell = (int) VerbsFailure.check("eventfd", verbs.createBell());
        thread = new Thread(null, this::run, name, STACK_BYTES);
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Error e) {
            verbs.closeBell(bell);
            throw e;
        }
    }

    /** What is ready and was not taken yet. */
    public int pending() {
        return pending.get();
    }

    /** The poller has taken what was ready. */
    public void taken(int kinds) {
        pending.getAndUpdate(now -> now & ~kinds);
        verbs.ring(bell);
    }

    private void run() {
        while (!closed) {
            int watched = 0;
            int now = pending.get();
            int[] waiting = new int[KINDS + 1];
            int[] kinds = new int[KINDS + 1];
            waiting[watched++] = bell;
            for (int i = 0; i < KINDS; i++) {
                if ((now & 1 << i) == 0) {
                    kinds[watched] = 1 << i;
                    waiting[watched++] = descriptors[i];
                }
            }
            int ready = verbs.waitReady(Arrays.copyOf(waiting, watched), LOOK_MS);
            if (ready < 0) {
                // Whatever is wrong with the descriptors, the poller finds out; here it must not cost a core.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
                continue;
            }
            if ((ready & 1) != 0) {
                verbs.hush(bell);
            }
            mark(ready, kinds, watched);
        }
    }

    private void mark(int ready, int[] kinds, int watched) {
        int found = 0;
        for (int i = 1; i < watched; i++) {
            if ((ready & 1 << i) != 0) {
                found |= kinds[i];
            }
        }
        if (found != 0) {
            int marks = found;
            pending.getAndUpdate(old -> old | marks);
            word.fences().afterPublish();
            Memory.fullFence();
            word.ringIfSleeping();
        }
    }

    /** Ends the thread; afterwards nobody waits on the descriptors. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        verbs.ring(bell);
        boolean interrupted = false;
        while (true) {
            try {
                thread.join(JOIN_MS);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        verbs.closeBell(bell);
    }
}
