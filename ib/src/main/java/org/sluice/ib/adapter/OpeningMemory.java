package org.sluice.ib.adapter;

import java.util.function.Supplier;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.ib.queue.Region;

/**
 * What a rank registers while it opens, added up: where a piece of it is refused, that piece's length alone doesn't say
 * which limit would do.
 *
 * <p><i>Thread</i>: whoever opens. <i>Fails</i>: NO_MEMORY, with what opening needs in all. <i>Proof</i>:
 * {@code SmallDeviceTest}, {@code UnprivilegedRxeTest}.
 */
public final class OpeningMemory {
    private final long need;
    private long registered;

    OpeningMemory(long... pieces) {
        long sum = 0;
        for (long each : pieces) {
            sum += Region.lockedBytes(each);
        }
        need = sum;
    }

    /**
     * @param bytes that it registers
     * @param maker of what has them
     */
    public <T> T register(long bytes, Supplier<T> maker) {
        try {
            T made = maker.get();
            registered += Region.lockedBytes(bytes);
            return made;
        } catch (SluiceException e) {
            if (e.code() != ErrorCode.NO_MEMORY) {
                throw e;
            }
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    -1,
                    e.getMessage() + ". Opening registers " + need + " bytes in all; " + registered
                            + " are registered already",
                    e);
        }
    }
}
