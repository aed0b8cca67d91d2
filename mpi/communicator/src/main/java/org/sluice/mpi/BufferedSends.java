package org.sluice.mpi;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.layer.Layer;
import org.sluice.device.memory.Memory;

/**
 * The buffer out of which a device's buffered sends go, and which parts of it are on their way: their places, in order.
 * The first gap that is large enough takes the next one.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the program's buffer, from {@link #attach} to {@link #detach}.
 */
final class BufferedSends {
    /** Of the buffer. */
    private static final class Part {
        private final long begin;
        private final long end;
        /** Null until it is on its way. */
        private Request request;

        Part(long begin, long end) {
            this.begin = begin;
            this.end = end;
        }

        boolean hasLeft() {
            return request != null && request.isDone();
        }

        /** Whoever sent it was told long ago that it has gone: one whose receiver is gone is dropped. */
        void await() {
            try {
                if (request != null) {
                    request.waitFor(new Status());
                }
            } catch (SluiceException e) {
                return;
            }
        }
    }

    private List<Part> parts = new ArrayList<>();
    private Object buffer;
    private long size;

    static BufferedSends of(Layer layer) {
        return layer.kept(BufferedSends.class, same -> new BufferedSends());
    }

    synchronized void attach(Object newBuffer) {
        if (buffer != null) {
            throw new IllegalStateException("a buffer of " + size + " bytes is attached already: detach it first");
        }
        if (newBuffer == null || UserBuffer.elementSize(newBuffer) != 1) {
            throw new IllegalArgumentException(
                    "buffered sends take a buffer of bytes: a byte[], a ByteBuffer or a" + " MessageBuffer, not "
                            + (newBuffer == null ? "null" : newBuffer.getClass().getTypeName()));
        }
        size = UserBuffer.bytesToReceive(newBuffer, 0, Device.WHOLE);
        buffer = newBuffer;
    }

    /** Waits until all have left, without the lock: what is called back meanwhile may send, and is refused. */
    Object detach() {
        Object detached;
        List<Part> leaving;
        synchronized (this) {
            if (buffer == null) {
                throw notAttached();
            }
            detached = buffer;
            leaving = parts;
            buffer = null;
            size = 0;
            parts = new ArrayList<>();
        }
        for (Part part : leaving) {
            part.await();
        }
        return detached;
    }

    /** As {@link #detach}, of those that are on their way now; the buffer stays. */
    void flush() {
        List<Part> leaving;
        synchronized (this) {
            if (buffer == null) {
                throw notAttached();
            }
            leaving = List.copyOf(parts);
        }
        for (Part part : leaving) {
            part.await();
        }
    }

    private static IllegalStateException notAttached() {
        return new IllegalStateException("no buffer is attached: attachBuffer gives one to buffered sends");
    }

    /** How a copy goes out. */
    @FunctionalInterface
    interface Sender {
        Request send(Object copy, long offset, long bytes);
    }

    /** Calls of the device call others back, which may send, too: by then this one has its part, or none yet. */
    synchronized void send(Flat flat, Sender sender) {
        if (buffer == null) {
            throw notAttached();
        }
        long bytes = flat.bytes();
        long needed = bytes + MessageForms.BUFFERED_OVERHEAD;
        parts.removeAll(List.copyOf(parts).stream().filter(Part::hasLeft).toList());
        int index = 0;
        long begin = 0;
        while (index < parts.size() && parts.get(index).begin - begin < needed) {
            begin = parts.get(index++).end;
        }
        if (index == parts.size() && size - begin < needed) {
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    "a buffered send of " + bytes + " bytes needs " + needed + " of the attached buffer in one piece: "
                            + parts.stream()
                                    .mapToLong(part -> part.end - part.begin)
                                    .sum() + " of its " + size
                            + " bytes are messages that have not left. Attach a larger one, or send otherwise");
        }
        Memory.copy(
                UserBuffer.base(flat.buffer),
                UserBuffer.address(flat.buffer, flat.offset, false),
                UserBuffer.base(buffer),
                UserBuffer.address(buffer, begin, true),
                bytes);
        Part part = new Part(begin, begin + needed);
        parts.add(index, part);
        try {
            part.request = sender.send(buffer, begin, bytes);
        } catch (Throwable e) {
            parts.remove(part);
            throw e;
        }
    }
}
