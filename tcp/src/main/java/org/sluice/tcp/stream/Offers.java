package org.sluice.tcp.stream;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.memory.Memory;

/**
 * Memory of this rank that peers fill: the reading end of long messages. A peer names it by number and generation.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code TcpPutTest}.
 */
public final class Offers {
    private final List<Offer> all = new ArrayList<>();
    private Offer free;

    /** One offer; it is the lease too. */
    public static final class Offer {
        final int index;
        private int generation;
        private int peer = -1;
        private long address;
        private long bytes;
        private Object owner;
        private Offer next;

        Offer(int index) {
            this.index = index;
        }

        public int index() {
            return index;
        }

        public int generation() {
            return generation;
        }

        ByteBuffer view(ByteBuffer reused, long offset, int length) {
            return Memory.view(reused, address + offset, length, owner);
        }
    }

    public Offer add(int peer, Object owner, long address, long bytes) {
        Offer offer = free;
        if (offer == null) {
            offer = new Offer(all.size());
            all.add(offer);
        } else {
            free = offer.next;
        }
        offer.generation++;
        offer.peer = peer;
        offer.address = address;
        offer.bytes = bytes;
        offer.owner = owner;
        return offer;
    }

    public void remove(Offer offer) {
        if (offer.peer < 0) {
            throw new IllegalArgumentException("offer " + offer.index + " was taken back before");
        }
        offer.peer = -1;
        offer.owner = null;
        offer.next = free;
        free = offer;
    }

    /** The offer that a peer names and may fill there; null where there is none. */
    Offer find(int peer, int index, int generation, long offset, int bytes) {
        if (index < 0 || index >= all.size()) {
            return null;
        }
        Offer offer = all.get(index);
        return offer.peer == peer && offer.generation == generation && offset >= 0 && offset <= offer.bytes - bytes
                ? offer
                : null;
    }
}
