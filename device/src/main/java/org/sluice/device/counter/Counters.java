package org.sluice.device.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;
import org.sluice.device.memory.Memory;

/**
 * One owner's counts. A device has several of these (one under the progress lock, one under each peer's send lock) and
 * adds them up when asked, so that counting needs no atomic operation.
 *
 * <p><i>Thread</i>: {@link #add} only under the lock that owns this object; reads from any thread, a little late.
 * <i>Proof</i>: {@code CountersTest}.
 */
public final class Counters {
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);
    /** A line of padding at both ends keeps two owners' counts off one cache line. */
    private static final int PADDING = 16;

    private static final long VALUES_AT = Memory.arrayOffset(new long[0]);

    private final long[] values = new long[Counter.values().length + 2 * PADDING];

    public void add(Counter counter, long amount) {
        long at = VALUES_AT + ((long) (PADDING + counter.ordinal()) << 3);
        // A plain store: no check of the index at every message. A long is written whole, and the owner's lock is left
        // soon after.
        Memory.putLong(values, at, Memory.getLong(values, at) + amount);
    }

    public void increment(Counter counter) {
        add(counter, 1);
    }

    public long get(Counter counter) {
        return (long) VALUE.getOpaque(values, PADDING + counter.ordinal());
    }

    public void addTo(Map<Counter, Long> sums) {
        for (Counter counter : Counter.values()) {
            sums.merge(counter, get(counter), Long::sum);
        }
    }

    public static Map<Counter, Long> newSums() {
        return new EnumMap<>(Counter.class);
    }
}
