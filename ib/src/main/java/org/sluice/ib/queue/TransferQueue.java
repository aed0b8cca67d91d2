package org.sluice.ib.queue;

import java.util.Arrays;
import org.sluice.ib.memory.Registration;

/**
 * The RDMA reads, or the RDMA writes, of one connection that are on the way, oldest first: a reliable connection
 * completes them in the order in which they were posted. Of reads no more than both ends have room for, as the adapter
 * would hold up everything behind one that has to wait; and of either no more once {@link #MOST_BYTES} are on the way,
 * as a packet that is sent behind them waits for them. One that is full stays so until a quarter is free: what is begun
 * together is told of together, in one packet.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Lends</i>: the registrations of the destinations of reads, to the
 * adapter, until it is done with them.
 */
public final class TransferQueue {
    /** What a link of 400 Gb/s carries in 20 microseconds. */
    public static final int MOST_BYTES = 1 << 20;

    private final Object[] tickets;
    private final Registration[] destinations;
    private final int[] lengths;
    private final int[] packets;
    private int first;
    private int size;
    private long bytes;
    private boolean isFull;

    /** @param depth how many may be on the way */
    public TransferQueue(int depth) {
        tickets = new Object[depth];
        destinations = new Registration[depth];
        lengths = new int[depth];
        packets = new int[depth];
    }

    public boolean isFull() {
        return isFull;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** @param destination of a read; null for a write, whose sender has the registration of its source */
    public void add(Object ticket, Registration destination, int length) {
        int at = (first + size++) % tickets.length;
        tickets[at] = ticket;
        destinations[at] = destination;
        lengths[at] = length;
        bytes += length;
        isFull |= size == tickets.length || bytes >= MOST_BYTES;
    }

    /** The newest was posted; every packet with a higher number than this (low half) lies behind it. */
    public void posted(int packet) {
        packets[(first + size - 1) % packets.length] = packet;
    }

    /** What {@link #posted} said of the oldest. */
    public int firstPacket() {
        return packets[first];
    }

    public Object firstTicket() {
        return tickets[first];
    }

    /**
     * The oldest is over.
     *
     * @return what its destination was
     */
    public Registration remove() {
        if (size == 0) {
            throw new IllegalStateException("a completion of a read or write that was not posted");
        }
        Registration destination = destinations[first];
        bytes -= lengths[first];
        tickets[first] = null;
        destinations[first] = null;
        first = (first + 1) % tickets.length;
        size--;
        isFull &= size > tickets.length - (tickets.length + 3) / 4 || bytes > MOST_BYTES - MOST_BYTES / 4;
        return destination;
    }

    @Override
    public String toString() {
        return "TransferQueue[" + size + " of " + tickets.length + " on the way: " + Arrays.toString(destinations)
                + "]";
    }
}
