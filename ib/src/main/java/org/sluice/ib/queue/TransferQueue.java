package org.sluice.ib.queue;

import java.util.Arrays;
import org.sluice.ib.memory.Registration;

/**
 * The RDMA reads, or the RDMA writes, of one connection that are on the way, oldest first: a reliable connection completes them in the order in
 * which they were posted. Of reads no more than both ends have room for, as the adapter would hold up everything behind one that has to wait.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Lends</i>: the registrations of the destinations of reads, to the adapter, until it is done
 * with them.
 */
public final class TransferQueue {
    private final Object[] tickets;
    private final Registration[] destinations;
    private int first;
    private int size;

    /** @param depth how many may be on the way */
    public TransferQueue(int depth) {
        tickets = new Object[depth];
        destinations = new Registration[depth];
    }

    public boolean isFull() {
        return size == tickets.length;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** @param destination of a read; null for a write, whose sender has the registration of its source */
    public void add(Object ticket, Registration destination) {
        int at = (first + size++) % tickets.length;
        tickets[at] = ticket;
        destinations[at] = destination;
    }

    public Object firstTicket() {
        return tickets[first];
    }

    /** The oldest is over. @return what its destination was */
    public Registration remove() {
        if (size == 0) {
            throw new IllegalStateException("a completion of a read or write that was not posted");
        }
        Registration destination = destinations[first];
        tickets[first] = null;
        destinations[first] = null;
        first = (first + 1) % tickets.length;
        size--;
        return destination;
    }

    @Override
    public String toString() {
        return "TransferQueue[" + size + " of " + tickets.length + " on the way: " + Arrays.toString(destinations) + "]";
    }
}
