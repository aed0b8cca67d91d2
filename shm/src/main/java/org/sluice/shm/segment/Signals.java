package org.sluice.shm.segment;

import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * Rings doorbells and sleepers of peers, and counts it. <i>Thread</i>: any. <i>Proof</i>: {@code SegmentChannelTest}.
 */
final class Signals {
    private final Counters counters = new Counters();

    /** As {@link org.sluice.device.channel.Channel#signal}. */
    void ring(SegmentRoute route) {
        if (route.writer.failure() != null) {
            return; // Its memory may be gone.
        }
        try {
            if (route.doorbell != null && route.doorbell.ringUnlessWatched(route.writer, route.slotOverThere)) {
                count(Counter.DOORBELLS);
            }
            if (route.waitWord.ringIfSleeping()) {
                count(Counter.WAKE_UPS);
            }
        } catch (InternalError e) {
            route.failOrThrow(e);
        }
    }

    /** Signals come from several threads at once; both things that are counted cost far more than this lock. */
    private void count(Counter counter) {
        synchronized (counters) {
            counters.increment(counter);
            if (counter == Counter.WAKE_UPS) {
                counters.increment(Counter.NATIVE_CROSSINGS);
            }
        }
    }

    Counters counters() {
        return counters;
    }
}
