package org.sluice.shm.segment;

import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.shm.ring.Doorbell;
import org.sluice.shm.ring.InboundRings;
import org.sluice.shm.ring.MemoryFaults;
import org.sluice.shm.ring.RingReader;
import org.sluice.shm.ring.RingWriter;

/** A rank's way to one peer in shared memory, and the ring in which that peer's packets come. Immutable. */
final class SegmentRoute implements Endpoint {
    final RingWriter writer;
    final WaitWord waitWord;
    final Doorbell doorbell;
    final PeerSegment segment;
    final int slot;
    final int slotOverThere;
    private final RingReader reader;
    private final OwnSegment own;
    private final Signals signals;

    /** @param reader of what the peer sends here, in {@code own} */
    SegmentRoute(
            int slot,
            int slotOverThere,
            PeerSegment segment,
            WaitWord.Waker waker,
            RingReader reader,
            OwnSegment own,
            Signals signals) {
        SegmentLayout layout = segment.facts().layout();
        this.slot = slot;
        this.slotOverThere = slotOverThere;
        this.segment = segment;
        this.reader = reader;
        this.own = own;
        this.signals = signals;
        this.writer = new RingWriter(segment.ring(slotOverThere), layout.size(), segment.keepAlive(), own.lost());
        this.waitWord = new WaitWord(segment.at(SegmentLayout.WAIT_WORD_AT), segment.keepAlive(), waker);
        this.doorbell = layout.slots() <= InboundRings.WATCH_ALL_LIMIT
                ? null
                : new Doorbell(segment.at(SegmentLayout.DOORBELL_AT), layout.slots());
    }

    /** As {@link Channel#trySend}. */
    int trySend(int kind, int contextId, int tag, Object base, long address, int bytes) {
        // The pieces of a large message follow each other anyway.
        if (kind == PacketKind.EAGER) {
            return trySendEager(contextId, tag, base, address, bytes);
        }
        try {
            return writer.trySend(kind, contextId, tag, base, address, bytes);
        } catch (InternalError e) {
            failOrThrow(e);
            return Channel.PEER_FAILED;
        }
    }

    @Override
    public int trySendEager(int contextId, int tag, Object base, long address, int bytes) {
        try {
            int result = writer.trySend(PacketKind.EAGER, contextId, tag, base, address, bytes);
            if (RingWriter.isClaimedAhead(bytes) && result == Channel.SENT) {
                writer.claimAhead(bytes, reader.taken());
            }
            return result;
        } catch (InternalError e) {
            failOrThrow(e);
            return Channel.PEER_FAILED;
        }
    }

    @Override
    public void signal() {
        signals.ring(this);
    }

    @Override
    public long takeEager(int contextId, int tagOrAny, Object base, long address, long bytes, int elementSize) {
        try {
            return reader.takeEager(contextId, tagOrAny, base, address, bytes, elementSize);
        } catch (InternalError e) {
            own.throwUnlessSpoiled(e);
            return FOR_POLL; // Which finds the same, and out why.
        }
    }

    /**
     * A fault is the peer's only where its segment shows one; any other is the program's, whose memory the packet was
     * to come from.
     */
    void failOrThrow(InternalError fault) {
        MemoryFaults.settle();
        if (segment.checkRings() == null) {
            throw fault;
        }
        writer.failForLostMemory(fault);
    }
}
