package org.sluice.ib.landing;

import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.queue.Region;
import org.sluice.ib.queue.WorkIds;
import org.sluice.ib.queue.WorkRequest;
import org.sluice.ib.wire.LandingNews;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Posts LANDING packets, which need no credit: one at a time to each peer, so that none is changed while the adapter
 * reads it.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: a packet for each peer, in registered memory. <i>Proof</i>:
 * {@code LandingSleepRxeTest}.
 */
final class LandingPosts implements AutoCloseable {
    private final VerbsCalls verbs;
    private final Region packets;
    private final long memory;
    private final WorkRequest request;
    private final Counters counters;

    LandingPosts(VerbsCalls verbs, long domain, int ranks, Counters counters) {
        this.verbs = verbs;
        this.counters = counters;
        packets = new Region(verbs, domain, (long) ranks * LandingNews.PACKET_BYTES, 0);
        memory = Memory.allocate(WorkRequest.BYTES);
        Memory.setZero(memory, WorkRequest.BYTES);
        request = new WorkRequest(memory);
    }

    /** @return 0, or -errno */
    int post(LandingPeer peer) {
        Connection connection = peer.connection;
        long at = packets.address() + (long) connection.peer() * LandingNews.PACKET_BYTES;
        PacketHeader.write(
                at,
                0,
                PacketHeader.LANDING_KIND,
                0,
                0,
                LandingNews.BYTES,
                connection.credits().toTell());
        Memory.putInt(at + PacketHeader.LANDED, peer.gate.toTell());
        peer.writeNews(at + PacketHeader.BYTES);
        request.fill(
                WorkIds.of(WorkIds.LANDING, connection.peer(), 0),
                VerbsLayout.OPCODE_SEND,
                VerbsLayout.SEND_SIGNALED,
                at,
                LandingNews.PACKET_BYTES,
                packets.lkey());
        counters.increment(Counter.LANDING_NEWS);
        return connection
                .sends()
                .inline()
                .post(verbs, connection.queuePair(), request, LandingNews.PACKET_BYTES, counters);
    }

    @Override
    public void close() {
        Memory.free(memory);
        packets.close();
    }
}
