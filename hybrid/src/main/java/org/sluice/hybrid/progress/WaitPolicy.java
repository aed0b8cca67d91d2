package org.sluice.hybrid.progress;

import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * How long a waiting thread spins, and then yields, before it parks. Immutable.
 *
 * @param spinNanos 0 where there are more ranks than cores: whoever spins there keeps the sender from running
 * @param yieldNanos how long it yields between polls afterwards
 */
public record WaitPolicy(long spinNanos, long yieldNanos, long peerCheckNanos) {
    private static final long DEFAULT_SPIN_US = 50;

    /** @param crowded the ranks of this node are more than the cores they may use */
    public static WaitPolicy of(Options options, boolean crowded) {
        long spinUs = options.number(Option.WAIT_SPIN_US);
        if (spinUs < 0) {
            spinUs = crowded ? 0 : DEFAULT_SPIN_US;
        }
        return new WaitPolicy(spinUs * 1000, options.number(Option.WAIT_YIELD_US) * 1000,
                options.number(Option.PEER_CHECK_MS) * 1_000_000);
    }
}
