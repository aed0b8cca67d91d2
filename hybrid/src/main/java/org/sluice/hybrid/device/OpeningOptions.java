package org.sluice.hybrid.device;

import org.sluice.device.option.Options;
import org.sluice.shm.ring.RingSize;

/**
 * Options whose values only an opening looks at, for who wants to know before. <i>Thread</i>: any. <i>Proof</i>:
 * {@code MainProcessTest}.
 */
public final class OpeningOptions {
    private OpeningOptions() {}

    /** @throws IllegalArgumentException where an opening would refuse them */
    public static void check(Options options) {
        ChannelChoice.allowed(options);
        RingSize.choose(1, options);
    }
}
