package org.sluice.shm.segment;

import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.shm.ring.Doorbell;
import org.sluice.shm.ring.InboundRings;
import org.sluice.shm.ring.MemoryFaults;
import org.sluice.shm.ring.RingWriter;

/** A rank's way to one peer in shared memory. Immutable. */
final class SegmentRoute {
    final RingWriter writer;
    final WaitWord waitWord;
    final Doorbell doorbell;
    final PeerSegment segment;
    final int slot;
    final int slotOverThere;

    SegmentRoute(int slot, int slotOverThere, PeerSegment segment, WaitWord.Waker waker) {
        SegmentLayout layout = segment.facts().layout();
        this.slot = slot;
        this.slotOverThere = slotOverThere;
        this.segment = segment;
        this.writer = new RingWriter(segment.ring(slotOverThere), layout.size(), segment.keepAlive());
        this.waitWord = new WaitWord(segment.at(SegmentLayout.WAIT_WORD_AT), segment.keepAlive(), waker);
        this.doorbell = layout.slots() <= InboundRings.WATCH_ALL_LIMIT ? null
                : new Doorbell(segment.at(SegmentLayout.DOORBELL_AT), layout.slots());
    }

    /** As {@link Channel#trySend}. @param inbound where the peer's own packets come in */
    int trySend(int kind, int contextId, int tag, Object base, long address, int bytes, InboundRings inbound) {
        try {
            int result = writer.trySend(kind, contextId, tag, base, address, bytes);
            // The pieces of a large message follow each other anyway.
            if (kind == PacketKind.EAGER && RingWriter.isClaimedAhead(bytes) && result == Channel.SENT) {
                writer.claimAhead(bytes, inbound.taken(slot));
            }
            return result;
        } catch (InternalError e) {
            failOrThrow(e);
            return Channel.PEER_FAILED;
        }
    }

    /** A fault is the peer's only where its segment shows one; any other is the program's, whose memory the packet was to come from. */
    void failOrThrow(InternalError fault) {
        MemoryFaults.settle();
        if (segment.checkRings() == null) {
            throw fault;
        }
        writer.failForLostMemory(fault);
    }
}
