package org.sluice.hybrid.handler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;
import org.sluice.device.ErrorCode;
import org.sluice.device.Lease;
import org.sluice.device.Status;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.receive.MemoryLease;
import org.sluice.hybrid.receive.OpenLeases;
import org.sluice.hybrid.request.RequestState;

/**
 * The message that a handler reads: one object for all messages of one rank, so that none costs one.
 *
 * <p><i>Thread</i>: {@link #begin} and {@link #end} under the progress lock; the rest one at a time. <i>Lends</i>: the
 * memory until {@link #end}. <i>Proof</i>: {@code HandlerCases}.
 */
final class HandlerMessage implements Lease {
    private static final VarHandle READABLE;

    static {
        try {
            READABLE = MethodHandles.lookup().findVarHandle(HandlerMessage.class, "readable", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Status status = new Status();
    /** Makes a lease of its own of the message that is shown. */
    private final Supplier<Lease> keeping;
    /** That {@link #address} counts from; null: it is absolute. */
    private byte[] base;

    private long address;
    private long bytes;
    private Object keepAlive;
    private boolean inPlace;
    /** Stored with release: a fence here would hold up the handler, and one at its end wait for what it has sent. */
    private boolean readable;
    /** A program may have views of its memory. */
    private boolean shown;

    HandlerMessage(Supplier<Lease> keeping) {
        this.keeping = keeping;
    }

    /** @param memory what keeps an absolute address' memory, or the array that it counts from */
    void begin(int source, int handler, long newBytes, Object memory, long newAddress, boolean isInPlace) {
        status.set(source, handler, RequestState.HANDLER_CONTEXT, newBytes, 1, ErrorCode.NONE);
        if (keepAlive != memory) {
            keepAlive = memory;
            base = memory instanceof byte[] ? (byte[]) memory : null;
        }
        address = newAddress;
        bytes = newBytes;
        inPlace = isInPlace;
        shown = false;
        READABLE.setRelease(this, true);
    }

    void end() {
        READABLE.setRelease(this, false);
    }

    /** Whether the handler that has returned may have kept a view. */
    boolean isShown() {
        return shown;
    }

    void checkReadable() {
        if (!(boolean) READABLE.getAcquire(this)) {
            throw new IllegalStateException(
                    "this message's handler has returned, or has kept or closed it, or its device has ended: what is"
                            + " needed for longer is to be kept, by keep() in the handler, and read there");
        }
    }

    private long at(long offset, long size) {
        checkReadable();
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
        long from = at(offset, length);
        shown = true;
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
    public Lease keep() {
        return keeping.get();
    }

    /** What is shown, in an array that is nobody's. */
    byte[] copy() {
        byte[] copy = new byte[(int) bytes];
        Memory.copy(base, address, copy, Memory.arrayOffset(copy), bytes);
        return copy;
    }

    /**
     * A lease of what is shown, which nothing but the lease ends.
     *
     * @param copy where it lies from now on; null: where it did
     */
    MemoryLease lease(byte[] copy, MemoryLease.Place place, Runnable end, OpenLeases leases) {
        Status own = new Status();
        own.set(status.source(), status.tag(), status.contextId(), bytes, 1, ErrorCode.NONE);
        return copy == null
                ? new MemoryLease(own, address, keepAlive, place, end, leases)
                : new MemoryLease(own, Memory.arrayOffset(copy), copy, place, end, leases);
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
    public float getFloat(long offset) {
        return Float.intBitsToFloat(getInt(offset));
    }

    @Override
    public double getDouble(long offset) {
        return Double.longBitsToDouble(getLong(offset));
    }

    @Override
    public boolean inPlace() {
        return inPlace;
    }

    /** Its memory goes back when the handler returns. */
    @Override
    public void close() {
        end();
    }
}
