package org.sluice.ib.queue;

import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * One send work request with one sge or two, in memory that the library reads; filled and posted again and again.
 *
 * <p><i>Thread</i>: one at a time. <i>Owns</i>: the block it was given a place in; nobody reads it after {@link #post}
 * returns.
 */
public final class WorkRequest {
    public static final int BYTES = VerbsLayout.SEND_WR_BYTES + 2 * VerbsLayout.SGE_BYTES + Long.BYTES;

    private final long request;
    private final long sge;
    private final long bad;

    /** @param at {@link #BYTES} of zeroed memory */
    public WorkRequest(long at) {
        request = at;
        sge = at + VerbsLayout.SEND_WR_BYTES;
        bad = sge + 2 * VerbsLayout.SGE_BYTES;
        Memory.putLong(request + VerbsLayout.WR_SGE_LIST, sge);
    }

    public void fill(long id, int opcode, int flags, long address, int bytes, int lkey) {
        Memory.putLong(request + VerbsLayout.WR_ID, id);
        Memory.putInt(request + VerbsLayout.SEND_WR_OPCODE, opcode);
        Memory.putInt(request + VerbsLayout.SEND_WR_FLAGS, flags);
        Memory.putInt(request + VerbsLayout.WR_SGES, bytes == 0 ? 0 : 1);
        Memory.putLong(sge + VerbsLayout.SGE_ADDRESS, address);
        Memory.putInt(sge + VerbsLayout.SGE_LENGTH, bytes);
        Memory.putInt(sge + VerbsLayout.SGE_LKEY, lkey);
    }

    /**
     * Of what was filled.
     *
     * @param flag has the device take the bytes with it, or 0
     */
    void inline(int flag) {
        int flags = Memory.getInt(request + VerbsLayout.SEND_WR_FLAGS);
        Memory.putInt(request + VerbsLayout.SEND_WR_FLAGS, flags & ~VerbsLayout.SEND_INLINE | flag);
    }

    /** What goes behind what {@link #fill} named. */
    public void then(long address, int bytes, int lkey) {
        long second = sge + VerbsLayout.SGE_BYTES;
        Memory.putInt(request + VerbsLayout.WR_SGES, 2);
        Memory.putLong(second + VerbsLayout.SGE_ADDRESS, address);
        Memory.putInt(second + VerbsLayout.SGE_LENGTH, bytes);
        Memory.putInt(second + VerbsLayout.SGE_LKEY, lkey);
    }

    /** What an RDMA work request reads or writes at the peer. */
    public void remote(long address, int rkey) {
        Memory.putLong(request + VerbsLayout.SEND_WR_REMOTE_ADDRESS, address);
        Memory.putInt(request + VerbsLayout.SEND_WR_RKEY, rkey);
    }

    /** What the receiver's completion of a write with immediate data says; others ignore it. */
    public void immediate(int value) {
        Memory.putInt(request + VerbsLayout.SEND_WR_IMMEDIATE, value);
    }

    public int post(VerbsCalls verbs, long queuePair) {
        return verbs.postSend(queuePair, request, bad);
    }
}
