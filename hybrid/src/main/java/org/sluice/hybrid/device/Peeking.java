package org.sluice.hybrid.device;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.request.Completion;

/** Device.peek. <i>Thread</i>: any. <i>Proof</i>: {@code RequestCases}. */
final class Peeking {
    /** As long as the clock can tell, and no program runs. */
    private static final Duration LONGEST_PEEK = Duration.ofDays(100 * 365);

    private static final int PEEKS_BEFORE_NAPS = 1000;
    private static final long SHORTEST_NAP_NANOS = 1000;
    private static final long LONGEST_NAP_NANOS = 1_000_000;

    private Peeking() {}

    /** @return null when the time is up */
    static Completion peek(DeviceParts parts, DeviceClosing closing, Object blocker, Duration timeout) {
        closing.checkOpen();
        Duration limit = timeout.compareTo(LONGEST_PEEK) < 0 ? timeout : LONGEST_PEEK;
        long deadline = System.nanoTime() + (limit.isNegative() ? 0 : limit.toNanos());
        for (long idle = 0; ; ) {
            Completion found;
            SluiceException ended;
            parts.engine().lock();
            try {
                found = parts.exchange().completed().poll();
                ended = parts.exchange().ended();
            } finally {
                parts.engine().unlock();
            }
            if (found != null || System.nanoTime() - deadline >= 0) {
                return found;
            }
            // Nothing completes any more once the device is closed, or has failed.
            closing.checkOpen();
            if (ended != null) {
                throw ended;
            }
            if (parts.engine().progressOnce()) {
                idle = 0;
            } else if (++idle < PEEKS_BEFORE_NAPS) {
                Thread.yield();
            } else {
                // Nobody unparks it: naps become longer the longer nothing comes.
                LockSupport.parkNanos(
                        blocker, Math.min((idle - PEEKS_BEFORE_NAPS + 1) * SHORTEST_NAP_NANOS, LONGEST_NAP_NANOS));
            }
        }
    }
}
