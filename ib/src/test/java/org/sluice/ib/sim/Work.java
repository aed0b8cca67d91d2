package org.sluice.ib.sim;

import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.VerbsLayout;

/** A send work request, as it was when it was posted. */
record Work(long id, int opcode, boolean isSignaled, int immediate, long[] addresses, int[] lengths, int[] keys, long remoteAddress,
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
        return new Work(Memory.getLong(at + VerbsLayout.WR_ID), Memory.getInt(at + VerbsLayout.SEND_WR_OPCODE),
                (Memory.getInt(at + VerbsLayout.SEND_WR_FLAGS) & VerbsLayout.SEND_SIGNALED) != 0,
                Memory.getInt(at + VerbsLayout.SEND_WR_IMMEDIATE), addresses, lengths, keys,
                Memory.getLong(at + VerbsLayout.SEND_WR_REMOTE_ADDRESS), Memory.getInt(at + VerbsLayout.SEND_WR_RKEY));
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
