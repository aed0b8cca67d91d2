package org.sluice.ib;

import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.memory.Registration;
import org.sluice.ib.memory.RegistrationCache;
import org.sluice.ib.queue.SendQueue;

/**
 * Eager messages that leave from where the program has them: the adapter gathers header and body, and the program waits
 * for its completion.
 *
 * <p><i>Thread</i>: {@link #lend} under the peer's send lock, {@link #tell} under the progress lock. <i>Fails</i>:
 * memory that isn't registered, and can't be or hardly pays, is copied. <i>Proof</i>: {@code UncopiedRxeTest},
 * {@code MessageBufferRxeTest}.
 */
final class EagerLoans {
    /** Below, the copy costs less than a completion of its own: docs/project/adr/0023 says how that was measured. */
    private static final int FROM_BYTES = 4096;
    /**
     * A sender that waits for the completion waits for the peer's acknowledgement, so it copies what is copied in less
     * time.
     */
    private static final int WAITING = 8;
    /** The header and the body. */
    private static final int PIECES = 2;

    private final RegistrationCache cache;
    private final int fromBytes;

    /** @param pieces that a work request of this device may gather */
    EagerLoans(RegistrationCache cache, Options options, long pieces) {
        this.cache = cache;
        int given = options.count(Option.IB_ZEROCOPY);
        this.fromBytes = pieces < PIECES ? Integer.MAX_VALUE : given < 0 ? FROM_BYTES : given;
    }

    /** As {@link Lending#lendFromBytes}. */
    int fromBytes() {
        return fromBytes;
    }

    /** As {@link Lending#lendAndWaitFromBytes}. */
    int waitFromBytes() {
        return (int) Math.min((long) WAITING * fromBytes, Integer.MAX_VALUE);
    }

    /** As {@link Lending#lend}; {@link SendQueue#fault} tells of a post that failed. */
    int lend(
            Connection connection,
            int contextId,
            int tag,
            Object owner,
            long address,
            int bytes,
            RemoteReference into,
            Object ticket) {
        Registration source = owner == null ? null : cache.acquireUsual(owner, address, bytes);
        if (source == null) {
            return Lending.BY_COPY;
        }
        int result = connection.sends().lend(contextId, tag, address, bytes, source.lkey(), ticket);
        if (result == Lending.LENT) {
            into.lease = source;
        } else {
            cache.release(source);
        }
        return result;
    }

    /**
     * A send has completed.
     *
     * @return how many loans came back, which the listener was told of
     */
    static int tell(SendQueue sends, boolean isGood, ChannelListener listener) {
        int told = 0;
        for (Object ticket; (ticket = sends.nextBack()) != null; told++) {
            listener.onLentBack(ticket, isGood);
        }
        return told;
    }
}
