package org.sluice.ib.memory;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Memory of one owner that the adapter knows. It refers to its owner weakly while nobody uses it and strongly while
 * somebody does, so that a request on the way keeps the memory and a registration that is only kept does not.
 *
 * <p><i>Thread</i>: keys and {@link #covers} any, the rest under the lock of the {@link RegistrationCache}, which owns
 * it.
 */
public final class Registration extends WeakReference<Object> {
    final int hash;
    final long address;
    final long bytes;
    final long handle;
    private final int lkey;
    private final int rkey;

    /** Whose memory may be freed at any time: gone with its last use. */
    final boolean isPassing;
    /** Of memory in a registered extent, whose region this is: it comes and goes without the adapter. */
    final boolean isPooled;
    /** Its memory was to be freed while somebody used it: it goes with the last use. */
    boolean isFreed;

    int uses;
    /** Asked for by the program: no limit takes it away. */
    boolean isPinned;
    /** It is in no table any more: its last use ends it. */
    boolean isOut;
    /** The adapter has let go of it. */
    boolean isGone;

    @SuppressWarnings("unused")
    private Object used;

    /** The next with the same place in the table. */
    Registration next;
    /** By the time of the last use; the cache's own end where there is none. */
    Registration older;

    Registration newer;

    Registration(
            Object owner,
            ReferenceQueue<Object> collected,
            long address,
            long bytes,
            long handle,
            int lkey,
            int rkey,
            boolean isPassing,
            boolean isPooled) {
        super(owner, collected);
        this.hash = System.identityHashCode(owner);
        this.address = address;
        this.bytes = bytes;
        this.handle = handle;
        this.lkey = lkey;
        this.rkey = rkey;
        this.isPassing = isPassing;
        this.isPooled = isPooled;
    }

    /** What work requests of this rank name the memory by. */
    public int lkey() {
        return lkey;
    }

    /** What work requests of peers name it by. */
    public int rkey() {
        return rkey;
    }

    /** True when all of this memory is in it. */
    public boolean covers(long from, long length) {
        return from >= address && length <= bytes && from - address <= bytes - length;
    }

    void use(Object owner) {
        uses++;
        used = owner;
    }

    /** @return true when nobody uses it any more */
    boolean unuse() {
        if (uses == 0) {
            throw new IllegalStateException(
                    "a registration of " + bytes + " bytes was given back more often than taken");
        }
        if (--uses == 0) {
            used = null;
        }
        return uses == 0;
    }

    @Override
    public String toString() {
        return "Registration[" + bytes + " bytes at 0x" + Long.toHexString(address) + ", rkey "
                + Integer.toHexString(rkey) + ", " + uses + " uses]";
    }
}
