package org.sluice.hybrid.route;

import java.util.List;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.channel.Lending;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * Eager messages to one peer that are not copied: the channel reads the program's memory, and says when it is done.
 *
 * <p><i>Thread</i>: {@link #takes} any, {@link #lend} under the route's send lock and the progress lock, the rest under
 * the progress lock. <i>Owns</i>: the operations on the way. <i>Proof</i>: {@code LentSendsTest},
 * {@code MessageBufferRxeTest}.
 */
public final class LentMessages {
    private final PacketWriter writer;
    private final Counters counters;
    private final boolean isPossible;
    private final int fromBytes;
    private final int waitFromBytes;
    final IdTable<SendOperation> onTheWay = new IdTable<>();

    /** @param lending null where the channel copies every message */
    LentMessages(Lending lending, PacketWriter writer, Counters counters) {
        this.writer = writer;
        this.counters = counters;
        this.isPossible = lending != null;
        this.fromBytes = isPossible ? lending.lendFromBytes() : Integer.MAX_VALUE;
        this.waitFromBytes = isPossible ? lending.lendAndWaitFromBytes() : Integer.MAX_VALUE;
    }

    /** The shortest that {@link #takes} is true for where the sender waits. */
    int waitFromBytes() {
        return waitFromBytes;
    }

    /**
     * Whether a message out of this buffer is rather lent than copied.
     *
     * @param waits whether its sender does, until it has its memory back
     */
    public boolean takes(Object buffer, long bytes, boolean waits) {
        return bytes >= (waits ? waitFromBytes : fromBytes) && buffer instanceof MessageMemory;
    }

    /** @return as {@link Lending#lend} */
    int lend(SendOperation operation) {
        if (!isPossible || !operation.lendable) {
            return Lending.BY_COPY;
        }
        // Before the channel reads its memory: the route's end has to find it.
        operation.id = onTheWay.add(operation);
        int result = Lending.BY_COPY;
        try {
            result = writer.lend(operation);
        } finally {
            if (result != Lending.LENT && operation.outstanding == 0) {
                onTheWay.remove(operation.id);
            }
        }
        if (result == Lending.LENT) {
            operation.outstanding = 1;
            counters.increment(Counter.LENT);
        }
        return result;
    }

    /** Its memory came back. */
    public void back(SendOperation operation) {
        onTheWay.remove(operation.id);
    }

    /** True while the channel reads some of the program's memory. */
    public boolean isLending() {
        return onTheWay.size() > 0;
    }

    /** @param over takes all; the channel may read them until the peer is disconnected */
    void fail(List<SendOperation> over) {
        onTheWay.drainTo(over);
    }

    @Override
    public String toString() {
        return onTheWay.size() + " lent";
    }
}
