package org.sluice.ib.queue;

import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** Work completions, taken many at a time into memory that is read here. Under the progress lock. */
public final class Completions implements AutoCloseable {
    public static final int MOST = 16;

    /** In the order of the library's numbers. */
    private static final String[] STATUS = {
        "success",
        "local length error",
        "local queue pair operation error",
        "local end-to-end context error",
        "local protection error",
        "given back by a queue pair that had failed",
        "memory window bind error",
        "bad response",
        "local access error",
        "remote invalid request",
        "remote access error",
        "remote operation error",
        "no acknowledgement",
        "receiver not ready",
        "local domain violation",
        "remote invalid read request",
        "remote aborted",
        "invalid context number",
        "invalid context state",
        "fatal error",
        "response timeout",
        "general error",
        "tag matching error",
        "tag matching rendezvous incomplete"
    };

    private static final int LOCAL_LENGTH = 1;
    private static final int REMOTE_ACCESS = 10;

    private final VerbsCalls verbs;
    private final long queue;
    private final long memory = Memory.allocate((long) MOST * VerbsLayout.WC_BYTES);

    public Completions(VerbsCalls verbs, long queue) {
        this.verbs = verbs;
        this.queue = queue;
        Memory.setZero(memory, (long) MOST * VerbsLayout.WC_BYTES);
    }

    /** @return how many there are now, or -errno */
    public int poll(int limit) {
        return verbs.poll(queue, Math.min(limit, MOST), memory);
    }

    public long workId(int index) {
        return Memory.getLong(at(index) + VerbsLayout.WC_WR_ID);
    }

    public boolean isGood(int index) {
        return Memory.getInt(at(index) + VerbsLayout.WC_STATUS) == 0;
    }

    /**
     * The peer's memory is not what was named: wrong key, place or length, or its process is just being ended, memory
     * first.
     */
    public boolean isRefusedMemory(int index) {
        return Memory.getInt(at(index) + VerbsLayout.WC_STATUS) == REMOTE_ACCESS;
    }

    /** A packet was longer than its slot. */
    public boolean isTooLong(int index) {
        return Memory.getInt(at(index) + VerbsLayout.WC_STATUS) == LOCAL_LENGTH;
    }

    public String status(int index) {
        int status = Memory.getInt(at(index) + VerbsLayout.WC_STATUS);
        return (status >= 0 && status < STATUS.length ? STATUS[status] : "unknown") + " (completion status " + status
                + ", vendor error " + Memory.getInt(at(index) + VerbsLayout.WC_VENDOR_ERROR) + ")";
    }

    /** It is no packet in a receive slot, but tells of a write to other memory. */
    public boolean isOfWrite(int index) {
        return Memory.getInt(at(index) + VerbsLayout.WC_OPCODE) == VerbsLayout.WC_RECV_RDMA_WITH_IMM;
    }

    /** What the writer said. */
    public int immediate(int index) {
        return Memory.getInt(at(index) + VerbsLayout.WC_IMMEDIATE);
    }

    public int bytes(int index) {
        return Memory.getInt(at(index) + VerbsLayout.WC_LENGTH);
    }

    public long queuePairNumber(int index) {
        return Memory.getInt(at(index) + VerbsLayout.WC_QUEUE_PAIR) & 0xFFFFFFFFL;
    }

    private long at(int index) {
        return memory + (long) index * VerbsLayout.WC_BYTES;
    }

    @Override
    public void close() {
        Memory.free(memory);
    }
}
