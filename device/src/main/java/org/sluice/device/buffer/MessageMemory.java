package org.sluice.device.buffer;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.device.MessageBuffer;
import org.sluice.device.memory.Memory;

/**
 * The one implementation of {@link MessageBuffer}: checked access to memory of some {@link MessageAllocator}.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: its memory, until closed, given away and taken, or collected. <i>Lends</i>: the
 * memory to requests, between {@link #hold} and {@link #release}; close refuses while it is lent. <i>Proof</i>:
 * {@code MessageMemoryTest}.
 */
public final class MessageMemory implements MessageBuffer {
    private static final Cleaner LEAKS = Cleaner.create();

    private final long address;
    private final long bytes;
    private final Life life;
    private final Cleaner.Cleanable leak;

    /** Apart from the buffer, so that the cleaner can free what was leaked: this object must not reach the buffer. */
    private static final class Life implements Runnable {
        static final int CLOSED = -1;

        /** Requests that use the memory now, or CLOSED. */
        final AtomicInteger uses = new AtomicInteger();

        private final MessageAllocator allocator;
        private final long address;
        private final long bytes;
        private boolean freed;

        Life(MessageAllocator allocator, long address, long bytes) {
            this.allocator = allocator;
            this.address = address;
            this.bytes = bytes;
        }

        /**
         * Ends the use by the program.
         *
         * @return false when it had ended before; throws while requests use the memory
         */
        boolean end(String how) {
            // One look decides and explains: a request that ends between two looks must not turn this into nothing.
            int now = uses.compareAndExchange(0, CLOSED);
            if (now > 0) {
                throw new IllegalStateException("this message buffer of " + bytes + " bytes can't be " + how + " while "
                        + now + " request(s) use it: wait for them first");
            }
            return now == 0;
        }

        IllegalStateException closed() {
            return new IllegalStateException("this message buffer of " + bytes + " bytes is closed or was given away");
        }

        @Override
        public synchronized void run() {
            if (!freed) {
                freed = true;
                uses.set(CLOSED);
                allocator.free(address, bytes);
            }
        }
    }

    public MessageMemory(MessageAllocator allocator, long bytes) {
        this(allocator, bytes, true);
    }

    /** For a message that fills all of it before anybody can look: what was there before stays until then. */
    public static MessageMemory unzeroed(MessageAllocator allocator, long bytes) {
        return new MessageMemory(allocator, bytes, false);
    }

    private MessageMemory(MessageAllocator allocator, long bytes, boolean isZeroed) {
        if (bytes < 0) {
            throw new IllegalArgumentException(
                    "a message buffer of " + bytes + " bytes was asked for; 0 or more are allowed");
        }
        this.bytes = bytes;
        this.address = isZeroed ? allocator.allocate(bytes) : allocator.allocateUnzeroed(bytes);
        this.life = new Life(allocator, address, bytes);
        this.leak = LEAKS.register(this, life);
    }

    /** For the device: where the memory is. */
    public long address() {
        return address;
    }

    /** For the device: a request starts to use the memory. */
    public void hold() {
        int uses;
        do {
            uses = life.uses.get();
            if (uses < 0) {
                throw life.closed();
            }
        } while (!life.uses.compareAndSet(uses, uses + 1));
    }

    /** For the device: a request that held the memory has ended. */
    public void release() {
        life.uses.decrementAndGet();
    }

    /** For the device: closes the buffer for its user but keeps the memory, until {@link #free}. */
    public void giveAway() {
        if (!life.end("given away")) {
            throw life.closed();
        }
    }

    /** For the device: frees what was given away. */
    public void free() {
        leak.clean();
    }

    private long at(long offset, int size) {
        if (life.uses.get() < 0) {
            throw life.closed();
        }
        if (offset < 0 || offset > bytes - size) {
            throw new IndexOutOfBoundsException(
                    "offset " + offset + " with " + size + " bytes is outside 0 to " + bytes);
        }
        return address + offset;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public byte getByte(long offset) {
        byte value = Memory.getByte(at(offset, Byte.BYTES));
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public void putByte(long offset, byte value) {
        Memory.putByte(at(offset, Byte.BYTES), value);
        Reference.reachabilityFence(this);
    }

    @Override
    public short getShort(long offset) {
        short value = Memory.getShort(at(offset, Short.BYTES));
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public void putShort(long offset, short value) {
        Memory.putShort(at(offset, Short.BYTES), value);
        Reference.reachabilityFence(this);
    }

    @Override
    public char getChar(long offset) {
        return (char) getShort(offset);
    }

    @Override
    public void putChar(long offset, char value) {
        putShort(offset, (short) value);
    }

    @Override
    public int getInt(long offset) {
        int value = Memory.getInt(at(offset, Integer.BYTES));
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public void putInt(long offset, int value) {
        Memory.putInt(at(offset, Integer.BYTES), value);
        Reference.reachabilityFence(this);
    }

    @Override
    public long getLong(long offset) {
        long value = Memory.getLong(at(offset, Long.BYTES));
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public void putLong(long offset, long value) {
        Memory.putLong(at(offset, Long.BYTES), value);
        Reference.reachabilityFence(this);
    }

    @Override
    public float getFloat(long offset) {
        return Float.intBitsToFloat(getInt(offset));
    }

    @Override
    public void putFloat(long offset, float value) {
        putInt(offset, Float.floatToRawIntBits(value));
    }

    @Override
    public double getDouble(long offset) {
        return Double.longBitsToDouble(getLong(offset));
    }

    @Override
    public void putDouble(long offset, double value) {
        putLong(offset, Double.doubleToRawLongBits(value));
    }

    @Override
    public ByteBuffer byteBuffer(long offset, int length) {
        if (length < 0) {
            throw new IllegalArgumentException("a view of " + length + " bytes was asked for; 0 or more are allowed");
        }
        return Memory.view(at(offset, length), length, this);
    }

    @Override
    public ByteBuffer byteBuffer() {
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalStateException("a ByteBuffer ends at 2 GB and this buffer has " + bytes
                    + " bytes: take views with byteBuffer(offset, bytes)");
        }
        return byteBuffer(0, (int) bytes);
    }

    @Override
    public Object bytesView() {
        at(0, 0);
        return ChronicleBuffers.view(this, address, bytes);
    }

    @Override
    public boolean isClosed() {
        return life.uses.get() < 0;
    }

    @Override
    public void close() {
        if (life.end("closed")) {
            leak.clean();
        }
    }

    @Override
    public String toString() {
        return "MessageBuffer[" + bytes + " bytes" + (isClosed() ? ", closed]" : "]");
    }
}
