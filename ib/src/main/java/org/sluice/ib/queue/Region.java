package org.sluice.ib.queue;

import java.lang.ref.Cleaner;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.memory.Memory;
import org.sluice.ib.adapter.VerbsFailure;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Memory outside the heap, registered once, page-aligned and zeroed.
 *
 * <p><i>Owns</i>: the memory, which is freed only after the adapter has let it go. <i>Fails</i>: NO_MEMORY, with the
 * limit of locked memory where that is in the way. <i>Proof</i>: {@code VerbsFaultsRxeTest}.
 */
public final class Region implements AutoCloseable {
    private static final long PAGE = 4096;

    private final VerbsCalls verbs;
    private final long memory;
    private final long address;
    private final long handle;
    private final int lkey;
    private final int rkey;
    private boolean closed;

    public Region(VerbsCalls verbs, long domain, long bytes, int access) {
        this.verbs = verbs;
        memory = Memory.allocate(bytes + PAGE);
        address = memory + PAGE - 1 & -PAGE;
        Memory.setZero(address, bytes);
        long[] out = new long[VerbsCalls.REGION_FIELDS];
        int result = verbs.registerMemory(domain, address, bytes, access, out);
        if (result < 0) {
            Memory.free(memory);
            throw refused(verbs, bytes, result);
        }
        handle = out[VerbsCalls.REGION_HANDLE];
        lkey = (int) out[VerbsCalls.REGION_LKEY];
        rkey = (int) out[VerbsCalls.REGION_RKEY];
    }

    private static SluiceException refused(VerbsCalls verbs, long bytes, int result) {
        long limit = verbs.lockedMemoryLimit();
        return new SluiceException(
                ErrorCode.NO_MEMORY,
                -1,
                VerbsFailure.describe("ibv_reg_mr of " + bytes + " bytes", result)
                        + (limit == Long.MAX_VALUE || limit < 0
                                ? ""
                                : ". This process may lock " + limit
                                        + " bytes of memory (ulimit -l): raise that in /etc/security/limits.conf, or"
                                        + " with LimitMEMLOCK=infinity where a service starts it; unlimited is usual"
                                        + " on clusters"),
                null);
    }

    /** What counts against the limit of memory that may be locked. */
    public static long lockedBytes(long bytes) {
        return bytes + PAGE - 1 & -PAGE;
    }

    public long address() {
        return address;
    }

    public int lkey() {
        return lkey;
    }

    /** What work requests of peers name it by, where access was given to them. */
    public int rkey() {
        return rkey;
    }

    /** The memory stays allocated where the adapter doesn't let it go, which is thrown. */
    @Override
    public void close() {
        if (deregister()) {
            Memory.free(memory);
        }
    }

    /**
     * As {@link #close}, but the memory is freed when this object was collected: whoever may still read it leads here.
     */
    public void closeUnread() {
        if (deregister()) {
            Unread.CLEANER.register(this, new Unread(memory));
        }
    }

    private boolean deregister() {
        boolean isFirst = !closed;
        closed = true;
        int result = isFirst ? verbs.deregisterMemory(handle) : 0;
        VerbsFailure.checkBack("ibv_dereg_mr", result);
        return isFirst;
    }

    /** Apart from the region, which it must not reach; and loaded only when needed, as it starts a thread. */
    private record Unread(long memory) implements Runnable {
        private static final Cleaner CLEANER = Cleaner.create();

        @Override
        public void run() {
            Memory.free(memory);
        }
    }
}
