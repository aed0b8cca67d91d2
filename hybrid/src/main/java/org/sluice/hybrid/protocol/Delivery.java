package org.sluice.hybrid.protocol;

import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.Route;

/**
 * Copies a message that is in this rank's memory to its receive, and ends the receive.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: pages of the program's buffer that are gone end this receive
 * alone; the message is consumed. Where the channel has lost memory the receive fails as its peer will. <i>Proof</i>:
 * the device conformance suite, {@code LostBufferCases}, {@code LostSegmentTest}.
 */
final class Delivery {
    private final Ends ends;
    private final Counters counters;
    private final Route[] routes;

    Delivery(Ends ends, Counters counters, Route[] routes) {
        this.ends = ends;
        this.counters = counters;
        this.routes = routes;
    }

    /** Whether what was just copied out of a packet of this peer may be zeros instead; then the peer fails soon. */
    boolean isLost(int peer) {
        return routes[peer].channel().lostMemory() != null;
    }

    /** @param base array that {@code address} counts from, or null */
    void deliver(ReceiveOperation operation, Object base, long address, int source, int tag, long bytes) {
        long length = Math.min(bytes, operation.bytes);
        Memory.copy(base, address, operation.base, operation.address, length);
        countCopy(counters, length);
        String lost = routes[source].channel().lostMemory();
        if (lost != null) {
            ends.failed(operation, Failure.ofCorruptPeer(source, lost));
            return;
        }
        // A fault that the JVM still keeps to itself comes out there, before anything is told.
        ends.received(operation, source, tag, bytes);
    }

    static void countCopy(Counters counters, long bytes) {
        counters.increment(Counter.COPIES);
        counters.add(Counter.COPIED_BYTES, bytes);
    }
}
