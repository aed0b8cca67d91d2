package org.sluice.ib.sim;

import java.util.Arrays;
import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.VerbsLayout;

/** A send work request, as it was when it was posted. */
record Work(
        long id,
        int opcode,
        boolean isSignaled,
        int immediate,
        long[] addresses,
        int[] lengths,
        int[] keys,
        byte[] inline,
        long remoteAddress,
        int remoteKey) {
    static Work read(long at) {
        int pieces = Memory.getInt(at + VerbsLayout.WR_SGES);
        long[] addresses = new long[pieces];
        int[] lengths = new int[pieces];
        int[] keys = new int[pieces];
        long list = Memory.getLong(at + VerbsLayout.WR_SGE_LIST);
        for (int i = 0; i < pieces; i++) {
            long sge = list + (long) i * VerbsLayout.SGE_BYTES;
            addresses[i] = Memory.getLong(sge + VerbsLayout.SGE_ADDRESS);
            lengths[i] = Memory.getInt(sge + VerbsLayout.SGE_LENGTH);
            keys[i] = Memory.getInt(sge + VerbsLayout.SGE_LKEY);
        }
        int flags = Memory.getInt(at + VerbsLayout.SEND_WR_FLAGS);
        return new Work(
                Memory.getLong(at + VerbsLayout.WR_ID),
                Memory.getInt(at + VerbsLayout.SEND_WR_OPCODE),
                (flags & VerbsLayout.SEND_SIGNALED) != 0,
                Memory.getInt(at + VerbsLayout.SEND_WR_IMMEDIATE),
                addresses,
                lengths,
                keys,
                (flags & VerbsLayout.SEND_INLINE) == 0 ? null : copied(addresses, lengths),
                Memory.getLong(at + VerbsLayout.SEND_WR_REMOTE_ADDRESS),
                Memory.getInt(at + VerbsLayout.SEND_WR_RKEY));
    }

    /** Of the memory that a work request names nothing is read after the post where it is inline. */
    private static byte[] copied(long[] addresses, int[] lengths) {
        byte[] copy = new byte[Arrays.stream(lengths).sum()];
        int at = 0;
        for (int i = 0; i < addresses.length; i++) {
            Memory.copy(null, addresses[i], copy, Memory.arrayOffset(copy) + at, lengths[i]);
            at += lengths[i];
        }
        return copy;
    }

    int bytes() {
        int bytes = 0;
        for (int each : lengths) {
            bytes += each;
        }
        return bytes;
    }

    boolean takesSlot() {
        return opcode == VerbsLayout.OPCODE_SEND || opcode == VerbsLayout.OPCODE_RDMA_WRITE_WITH_IMM;
    }
}
