package org.sluice.mpi;

import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * What was begun and may not be over, for a layer above communicators whose users may forget a wait: before it closes
 * the device it knows whether a message is lost. What is over is not counted, whether or not somebody waited.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: a reference to each that was added. When they have become many, it lets go of
 * those that are over.
 *
 * @param <R> what the layer calls a request
 */
public final class OpenRequests<R> {
    private static final int FIRST_MOST = 64;
    private static final int PATIENCE_MS = 200;

    private final Predicate<R> isOpen;
    /** By identity: one that is begun again is still one. */
    private final Map<R, Boolean> all = new IdentityHashMap<>(2 * FIRST_MOST);

    private int most = FIRST_MOST;

    /** @param isOpen whether one isn't over; any thread asks it, and it may not wait */
    public OpenRequests(Predicate<R> isOpen) {
        this.isOpen = isOpen;
    }

    /** Adds one that was begun, perhaps again. */
    public synchronized void add(R begun) {
        if (all.size() >= most) {
            most = Math.max(FIRST_MOST, 2 * count());
        }
        all.put(begun, Boolean.TRUE);
    }

    private synchronized int count() {
        Iterator<R> each = all.keySet().iterator();
        while (each.hasNext()) {
            if (!isOpen.test(each.next())) {
                each.remove();
            }
        }
        return all.size();
    }

    /**
     * How many are open, in the end: what a peer has taken by now may be on its way to be told, so it waits a moment
     * for those that are.
     */
    public int awaitNone() {
        int open = count();
        for (int ms = 0; open > 0 && ms < PATIENCE_MS; ms++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            open = count();
        }
        return open;
    }
}
