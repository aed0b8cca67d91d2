package org.sluice.ib.queue;

import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * The work requests of a connection that no sender posts: a packet that only carries credit, one that asks for credit
 * and one that gives it back, and a write of no bytes, whose acknowledgement is a sign of life. They have room beyond
 * the send window ({@link SendDepth}). Credit packets on the way share one header, of which only the credit ever
 * changes, to what is newer: whichever the adapter reads is true.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: a header for each peer, in registered memory. <i>Proof</i>:
 * {@code IbChannelRxeTest}.
 */
public final class ControlPosts implements AutoCloseable {
    /** {@link WorkIds#number} of {@link WorkIds#CREDIT}: which packet it was, and its header's place. */
    public static final int CREDIT = 0;

    public static final int ASK_BACK = 1;
    public static final int GIVE_BACK = 2;

    private static final int HEADER_STEP = 128;

    private final VerbsCalls verbs;
    private final Region headers;
    private final long memory;
    private final WorkRequest request;
    private final Counters counters;

    public ControlPosts(VerbsCalls verbs, long domain, int ranks, Counters counters) {
        this.verbs = verbs;
        this.counters = counters;
        headers = new Region(verbs, domain, bytes(ranks), 0);
        memory = Memory.allocate(WorkRequest.BYTES);
        Memory.setZero(memory, WorkRequest.BYTES);
        request = new WorkRequest(memory);
    }

    /** Of registered memory, in a job of so many ranks. */
    public static long bytes(int ranks) {
        return (long) ranks * HEADER_STEP;
    }

    /** @return 0, or -errno */
    public int credit(long queuePair, SendQueue sends) {
        if (sends.credits.owesNews()) {
            sends.credits.borrow();
        }
        counters.increment(Counter.CREDIT_PACKETS);
        return post(queuePair, sends, CREDIT, PacketHeader.CREDIT_KIND, 0);
    }

    /**
     * Asks for credit that the peer doesn't use.
     *
     * @return 0, or -errno
     */
    public int askBack(long queuePair, SendQueue sends) {
        return post(queuePair, sends, ASK_BACK, PacketHeader.ASK_BACK_KIND, 0);
    }

    /**
     * Says how much credit was given up.
     *
     * @return 0, or -errno
     */
    public int giveBack(long queuePair, SendQueue sends) {
        return post(queuePair, sends, GIVE_BACK, PacketHeader.GIVE_BACK_KIND, sends.credits.returned());
    }

    private int post(long queuePair, SendQueue sends, int which, int kind, int tag) {
        long at = headers.address() + (long) sends.peer * HEADER_STEP + (long) which * PacketHeader.BYTES;
        PacketHeader.write(at, 0, kind, 0, tag, 0, sends.credits.toTell());
        Memory.putInt(at + PacketHeader.LANDED, sends.landedToTell());
        request.fill(
                WorkIds.of(WorkIds.CREDIT, sends.peer, which),
                VerbsLayout.OPCODE_SEND,
                VerbsLayout.SEND_SIGNALED,
                at,
                PacketHeader.BYTES,
                headers.lkey());
        return sends.inline().post(verbs, queuePair, request, PacketHeader.BYTES, counters);
    }

    /**
     * @param covers the low half of the number of the last send that its completion retires
     * @return 0, or -errno
     */
    public int keepAlive(long queuePair, int peer, int covers) {
        request.fill(
                WorkIds.of(WorkIds.KEEP_ALIVE, peer, covers),
                VerbsLayout.OPCODE_RDMA_WRITE,
                VerbsLayout.SEND_SIGNALED,
                0,
                0,
                0);
        counters.increment(Counter.WORK_REQUESTS);
        counters.increment(Counter.NATIVE_CROSSINGS);
        return request.post(verbs, queuePair);
    }

    @Override
    public void close() {
        Memory.free(memory);
        headers.close();
    }
}
