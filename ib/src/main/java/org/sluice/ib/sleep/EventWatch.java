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
 * The helper: a thread that waits on the adapter's descriptors. Connection and asynchronous events it has its
 * {@link Duty} take at once, so that no program's progress is needed to connect. Of completions it only tells: they are
 * marked in {@link #pending} and not watched again until the poller has taken them and called {@link #taken}, so that a
 * rank that polls needs no system call to know that there is nothing.
 *
 * <p>The mark is set before the word's flag is read; the sleeper sets the flag before it looks at the mark: one of the
 * two sees the other. <i>Thread</i>: {@link #pending} and {@link #ring} any, {@link #taken} under the progress lock.
 * <i>Fails</i>: what the duty throws stops it and is marked {@link #BROKEN}, for the poller to end the device with.
 * <i>Proof</i>: {@code SleepRxeTest}, {@code VerbsFaultsRxeTest}.
 */
public final class EventWatch implements AutoCloseable {
    public static final int CONNECTION = 1;
    public static final int ASYNC = 2;
    public static final int COMPLETION = 4;
    /** {@link #pending}: the duty threw {@link #fault}. */
    public static final int BROKEN = 8;

    private static final int KINDS = 3;
    /** Bounds what a lost event or ring would cost. */
    private static final int LOOK_MS = 500;

    private static final long STACK_BYTES = 256 << 10;

    private final VerbsCalls verbs;
    private final WaitWord word;
    private final Duty duty;
    private final int[] descriptors;
    private final int bell;
    private final AtomicInteger pending = new AtomicInteger();
    private final Thread thread;
    /** Written before the mark that tells of it. */
    private Throwable fault;
    /** Under the progress lock, and of whoever closes. */
    private boolean isTold;

    private volatile boolean closed;

    /** What the helper does besides watching; it must not block. */
    public interface Duty {
        /**
         * Also called where nothing is ready, after a ring and when the time that it asked for is over.
         *
         * @param ready {@link #CONNECTION}, {@link #ASYNC}, both or none
         * @return nanoseconds after which it is to be called again at the latest
         */
        long work(int ready);
    }

    /** @param descriptors of connection, asynchronous and completion events, in this order */
    public EventWatch(VerbsCalls verbs, WaitWord word, Duty duty, String name, int... descriptors) {
        this.verbs = verbs;
        this.word = word;
        this.duty = duty;
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

    /** {@link #COMPLETION} and {@link #BROKEN}: what was marked and not taken yet. */
    public int pending() {
        return pending.get();
    }

    /** The poller has taken what was marked. */
    public void taken(int kinds) {
        pending.getAndUpdate(now -> now & ~kinds);
        verbs.ring(bell);
    }

    /**
     * Before a completion event is asked for: a mark from before the rank announced its sleep has rung nobody. Left
     * there, it would have the next poll drain the event that is asked for, and take the completion behind it; that may
     * be a send's, and then nothing wakes this rank for the packet after it.
     */
    public void dropMark(long completionChannel) {
        if ((pending() & COMPLETION) != 0) {
            verbs.drainCompletionEvents(completionChannel);
            taken(COMPLETION);
        }
    }

    /** Has the duty called soon. Any thread. */
    public void ring() {
        verbs.ring(bell);
    }

    /** Throws what the duty threw; after {@link #BROKEN} was seen. */
    public void tell() {
        isTold = true;
        throw new IllegalStateException("the ib channel's helper failed: " + fault.getMessage(), fault);
    }

    /**
     * Wakes the rank if it sleeps; what the caller changed before is seen by the poll that follows its announcement, or
     * it is woken.
     */
    public static void wake(WaitWord word) {
        word.fences().afterPublish();
        Memory.fullFence();
        word.ringIfSleeping();
    }

    private void run() {
        int waitMs = LOOK_MS;
        while (!closed) {
            int watched = 0;
            // Completions that are marked wait for the poller; a broken duty takes nothing any more.
            int now = pending.get();
            int unwatched = (now & BROKEN) == 0 ? now : now | CONNECTION | ASYNC;
            int[] waiting = new int[KINDS + 1];
            int[] kinds = new int[KINDS + 1];
            waiting[watched++] = bell;
            for (int i = 0; i < KINDS; i++) {
                if ((unwatched & 1 << i) == 0) {
                    kinds[watched] = 1 << i;
                    waiting[watched++] = descriptors[i];
                }
            }
            int ready = verbs.waitReady(Arrays.copyOf(waiting, watched), waitMs);
            if (ready < 0) {
                // Whatever is wrong with the descriptors, those who use them find out; here it must not cost a core.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
            } else if ((ready & 1) != 0) {
                verbs.hush(bell);
            }
            if (!closed) {
                waitMs = handle(ready < 0 ? 0 : kinds(ready, kinds, watched));
            }
        }
    }

    private static int kinds(int ready, int[] kinds, int watched) {
        int found = 0;
        for (int i = 1; i < watched; i++) {
            if ((ready & 1 << i) != 0) {
                found |= kinds[i];
            }
        }
        return found;
    }

    /** @return how long to wait then */
    private int handle(int ready) {
        // First, as a rank may sleep until it knows.
        mark(ready & COMPLETION);
        if ((pending.get() & BROKEN) != 0) {
            return LOOK_MS;
        }
        try {
            long nanos = duty.work(ready & ~COMPLETION);
            return (int) Math.min(LOOK_MS, nanos / 1_000_000 + 1);
        } catch (Throwable e) {
            fault = e;
            mark(BROKEN);
            return LOOK_MS;
        }
    }

    private void mark(int found) {
        if (found != 0) {
            pending.getAndUpdate(old -> old | found);
            wake(word);
        }
    }

    /**
     * Ends the thread; afterwards nobody waits on the descriptors. What the duty threw is told here, where no poll has
     * told it.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        verbs.ring(bell);
        boolean interrupted = false;
        // However long it takes: it may be inside the library, with what is given back next.
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        VerbsFailure.checkBack("eventfd", verbs.closeBell(bell));
        if (fault != null && !isTold) {
            tell();
        }
    }
}
