package org.sluice.hybrid.route;

import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * How much of a receiver's memory for eager messages one sender may fill, and how much of it waits there for receives.
 *
 * <p><i>Thread</i>: under the route's send lock. <i>Proof</i>: {@code RouteTest}.
 */
public final class EagerShare {
    /** What even an empty message counts: it is stored, too. */
    private static final int ENVELOPE_BYTES = 16;

    private final long limit;
    private final Counters counters;
    private long sent;
    private long released;

    /** @param counters where what is sent is counted */
    EagerShare(long limit, Counters counters) {
        this.limit = limit;
        this.counters = counters;
    }

    /** What one eager message counts against the share. */
    public static long charge(long bytes) {
        return bytes + ENVELOPE_BYTES;
    }

    /** The longest message that may go now. */
    long left() {
        return limit - (sent - released);
    }

    void sent(int bytes) {
        sent += charge(bytes);
        counters.increment(Counter.SENT_EAGER);
        counters.add(Counter.SENT_BYTES, bytes);
    }

    /**
     * The receiver's count of what has left its memory.
     *
     * @return what is wrong with it, or null
     */
    String release(long total) {
        if (total < released || total > sent) {
            return "RELEASE of " + total + " bytes in all, after " + released + ", of " + sent + " sent";
        }
        released = total;
        return null;
    }
}
