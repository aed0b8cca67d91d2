package org.sluice.hybrid.receive;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sluice.device.Lease;
import org.sluice.device.Status;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.route.SendOperation;

/**
 * A message read where it lies: the sender's memory, or this device's.
 *
 * <p><i>Thread</i>: one at a time; {@link #passTo} under the progress lock. <i>Proof</i>: the device conformance suite,
 * {@code KeptMessageCases}.
 */
public final class MemoryLease implements Lease {
    /** Whose memory a lease reads. */
    public enum Place {
        /** A message buffer of this device, into which the message was copied, or an array. */
        COPY,
        /** Where it came, in memory of this device. */
        ARRIVED,
        /** The sender's memory, which is the sender's program's again once this device has ended. */
        OF_SENDER
    }

    private final Status status;
    /** That {@link #address} counts from; null: it is absolute. */
    private final byte[] base;

    private final long address;
    private final long bytes;
    private final Object keepAlive;
    private final Place place;
    private final Runnable end;
    private final OpenLeases leases;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Those beside it in {@link OpenLeases}. */
    MemoryLease previous;

    MemoryLease next;

    /** @param keepAlive what keeps an absolute address' memory, or the array that it counts from */
    public MemoryLease(Status status, long address, Object keepAlive, Place place, Runnable end, OpenLeases leases) {
        this.status = status;
        this.base = keepAlive instanceof byte[] ? (byte[]) keepAlive : null;
        this.address = address;
        this.bytes = status.bytes();
        this.keepAlive = keepAlive;
        this.place = place;
        this.end = end;
        this.leases = leases;
    }

    private long at(long offset, long size) {
        if (closed.get()) {
            throw new IllegalStateException(
                    "this lease is closed, or its device has ended: its memory is the sender's again");
        }
        if (offset < 0 || size < 0 || offset > bytes - size) {
            throw new IndexOutOfBoundsException(
                    "offset " + offset + " with " + size + " bytes is outside 0 to " + bytes);
        }
        return address + offset;
    }

    @Override
    public Status status() {
        return status;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public ByteBuffer buffer(long offset, int length) {
        return view(at(offset, length), length);
    }

    private ByteBuffer view(long from, int length) {
        ByteBuffer view = base == null
                ? Memory.view(from, length, keepAlive)
                : ByteBuffer.wrap(base, (int) (from - Memory.arrayOffset(base)), length)
                        .slice();
        return view.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    @Override
    public ByteBuffer buffer() {
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalStateException("a ByteBuffer ends at 2 GB and this message has " + bytes
                    + " bytes: take views with buffer(offset, bytes)");
        }
        return buffer(0, (int) bytes);
    }

    @Override
    public byte getByte(long offset) {
        byte value = Memory.getByte(base, at(offset, Byte.BYTES));
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public short getShort(long offset) {
        short value = Memory.getShort(base, at(offset, Short.BYTES));
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public char getChar(long offset) {
        return (char) getShort(offset);
    }

    @Override
    public float getFloat(long offset) {
        return Float.intBitsToFloat(getInt(offset));
    }

    @Override
    public int getInt(long offset) {
        int value = Memory.getInt(base, at(offset, Integer.BYTES));
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public long getLong(long offset) {
        long value = Memory.getLong(base, at(offset, Long.BYTES));
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public double getDouble(long offset) {
        return Double.longBitsToDouble(getLong(offset));
    }

    @Override
    public boolean inPlace() {
        return place != Place.COPY;
    }

    @Override
    public void close() {
        leases.locked(this::end);
    }

    /**
     * As {@link #close}, under the progress lock. Stays open where its memory is this device's and is just being sent
     * on, and where the sender can't be told: whatever is thrown, nothing has happened.
     */
    private void end() {
        if (!closed.get()) {
            end.run();
            closed.set(true);
            leases.closed(this);
        }
    }

    /** Whether it is of that device. */
    public boolean isOf(OpenLeases device) {
        return leases == device;
    }

    /**
     * What it reads goes on as a message, and is the program's no more: this ends with the send. Where it throws
     * nothing has happened.
     *
     * @param operation an empty one
     */
    public void passTo(SendOperation operation) {
        at(0, 0);
        if (place == Place.COPY && base == null) {
            MessageMemory memory = (MessageMemory) keepAlive;
            memory.giveAway();
            operation.given = memory;
            operation.buffer = memory;
        } else {
            // Of no array and no message buffer a channel needs to know more than that it is memory.
            operation.buffer = base != null ? base : bytes > Integer.MAX_VALUE ? keepAlive : view(address, (int) bytes);
            operation.afterwards = end;
        }
        operation.base = base;
        operation.address = address;
        closed.set(true);
        leases.closed(this);
    }

    boolean readsSender() {
        return place == Place.OF_SENDER;
    }

    /**
     * Under the progress lock. Memory that a request still uses goes when it is collected; a sender that can't be told
     * learns of the device's end.
     */
    void endWithDevice() {
        try {
            end();
        } catch (IllegalStateException e) {
            closed.set(true);
            leases.closed(this);
        }
    }
}
