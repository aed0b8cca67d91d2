package org.sluice.ib.memory;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.arena.Extent;
import org.sluice.device.arena.ExtentSource;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Extents for the message buffers of a rank that shares no memory with another process. <i>Thread</i>: under the
 * arena's lock. <i>Owns</i>: their memory, until it is given back; what the adapter didn't let go of stays.
 * <i>Proof</i>: {@code RegisteredPoolTest}.
 */
public final class PrivateExtents implements ExtentSource {
    private static final long PAGE = 4096;
    /** A share of what there is keeps the number of extents small. */
    private static final int EXTENT_SHARE = 8;

    private final long step;
    private final RegistrationCache registrations;
    private long bytes;
    private volatile boolean closed;

    public PrivateExtents(Options options, RegistrationCache registrations) {
        this.step = options.number(Option.IB_POOL_STEP);
        this.registrations = registrations;
    }

    @Override
    public Extent extend(long needed) {
        if (closed) {
            throw new SluiceException(ErrorCode.DEVICE_CLOSED, "this device is closed: it has no more memory to give");
        }
        long size = Math.max(needed, Math.max(step, bytes / EXTENT_SHARE));
        long given;
        try {
            size = Math.addExact(size, PAGE - 1) & -PAGE;
            given = Memory.allocate(Math.addExact(size, PAGE));
        } catch (OutOfMemoryError | ArithmeticException | IllegalArgumentException e) {
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    -1,
                    "message buffers of this device hold " + bytes + " bytes, and there is no memory for " + size
                            + " more: close some, or ask for less",
                    e);
        }
        long address = given + PAGE - 1 & -PAGE;
        Memory.setZero(address, size);
        bytes += size;
        return new Extent(0, size, address, given);
    }

    @Override
    public void giveBack(Extent extent) {
        if (registrations.isLetGo(extent)) {
            Memory.free((Long) extent.keepAlive());
        }
    }

    /** No extents come into being any more. */
    public void close() {
        closed = true;
    }
}
