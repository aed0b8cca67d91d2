package org.sluice.ib.queue;

import org.sluice.device.memory.Memory;
import org.sluice.ib.adapter.VerbsFailure;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * One shared receive queue and the slots that are posted to it: where packets of all peers come in. A slot is posted again once its packet
 * was handed up, several at a time; or later, where a message in it is kept ({@link KeptBodies}).
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the memory and the queue; memory that the program may still read is left to the
 * collector, as a lease leads here. <i>Proof</i>: {@code IbChannelRxeTest}, {@code UncopiedRxeTest}.
 */
public final class ReceiveSlots implements AutoCloseable {
    private static final int MOST_TOGETHER = 16;
    /** Of the slots, this part may hold messages that are kept: peers are promised the others. */
    private static final int KEPT_PART = 4;
    private static final int REQUEST_BYTES = VerbsLayout.RECV_WR_BYTES + VerbsLayout.SGE_BYTES;

    private final VerbsCalls verbs;
    private final int count;
    private final int slotBytes;
    private final int together;
    private final Region region;
    private final long queue;
    private final long requests;
    private final long bad;
    private final KeptBodies kept;
    private boolean isShown;
    private boolean closed;
    private int first = -1;
    private int last = -1;
    private int waiting;

    public ReceiveSlots(VerbsCalls verbs, long domain, int count, int slotBytes) {
        this.verbs = verbs;
        this.count = count;
        this.slotBytes = slotBytes;
        this.together = Math.max(1, Math.min(MOST_TOGETHER, count / 4));
        this.kept = new KeptBodies(count, mostKept(count));
        this.queue = VerbsFailure.check("ibv_create_srq of " + count, verbs.createSharedReceiveQueue(domain, count, 1));
        try {
            this.region = new Region(verbs, domain, (long) count * slotBytes, VerbsCalls.ACCESS_LOCAL_WRITE);
        } catch (RuntimeException e) {
            verbs.destroySharedReceiveQueue(queue);
            throw e;
        }
        this.requests = Memory.allocate((long) count * REQUEST_BYTES + Long.BYTES);
        this.bad = requests + (long) count * REQUEST_BYTES;
        Memory.setZero(requests, (long) count * REQUEST_BYTES + Long.BYTES);
        try {
            for (int slot = 0; slot < count; slot++) {
                prepare(slot);
                append(slot);
            }
            VerbsFailure.check("ibv_post_srq_recv of " + count, tryPost());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** How many of so many slots may be kept from the adapter. */
    public static int mostKept(int count) {
        return count / KEPT_PART;
    }

    private void prepare(int slot) {
        long sge = request(slot) + VerbsLayout.RECV_WR_BYTES;
        Memory.putLong(sge + VerbsLayout.SGE_ADDRESS, address(slot));
        Memory.putInt(sge + VerbsLayout.SGE_LENGTH, slotBytes);
        Memory.putInt(sge + VerbsLayout.SGE_LKEY, region.lkey());
        Memory.putLong(request(slot) + VerbsLayout.WR_ID, WorkIds.of(WorkIds.RECEIVE, 0, slot));
        Memory.putLong(request(slot) + VerbsLayout.WR_SGE_LIST, sge);
        Memory.putInt(request(slot) + VerbsLayout.WR_SGES, 1);
    }

    private long request(int slot) {
        return requests + (long) slot * REQUEST_BYTES;
    }

    public long queue() {
        return queue;
    }

    /** Where the packet in this slot begins. */
    public long address(int slot) {
        return region.address() + (long) slot * slotBytes;
    }

    public boolean isSlot(int slot) {
        return slot >= 0 && slot < count;
    }

    /** The packet in this slot was handed up. */
    public void release(int slot) {
        if (kept.handedUp(slot)) {
            free(slot);
        }
    }

    private void free(int slot) {
        append(slot);
        if (waiting >= together) {
            post();
        }
    }

    /** A message of the packet that is being handed up stays. @param address in it @return false where it is in no slot, or too many are kept */
    public boolean keep(long address) {
        long at = address - region.address();
        return at >= 0 && at < (long) count * slotBytes && kept.keep((int) (at / slotBytes));
    }

    /** The program reads what was kept. */
    public void show() {
        isShown = true;
    }

    /** A message that was kept is needed no more. @param address in it */
    public void giveBack(long address) {
        int slot = (int) ((address - region.address()) / slotBytes);
        if (kept.giveBack(slot) && !closed) {
            free(slot);
        }
    }

    private void append(int slot) {
        Memory.putLong(request(slot) + VerbsLayout.WR_NEXT, 0);
        if (last < 0) {
            first = slot;
        } else {
            Memory.putLong(request(last) + VerbsLayout.WR_NEXT, request(slot));
        }
        last = slot;
        waiting++;
    }

    /** Posts what was released; nothing to do is no crossing. */
    public void post() {
        int result = tryPost();
        if (result < 0) {
            throw new IllegalStateException(Errno.describe("ibv_post_srq_recv of " + waiting, result));
        }
    }

    /** What the adapter refused waits for the next time; what it took before that is not posted again. */
    private int tryPost() {
        if (waiting == 0) {
            return 0;
        }
        int result = verbs.postReceive(queue, request(first), bad);
        if (result < 0) {
            long refused = Memory.getLong(bad);
            for (int slot = first; request(slot) != refused && slot != last;) {
                slot = (int) ((Memory.getLong(request(slot) + VerbsLayout.WR_NEXT) - requests) / REQUEST_BYTES);
                first = slot;
                waiting--;
            }
            return result;
        }
        first = -1;
        last = -1;
        waiting = 0;
        return 0;
    }

    @Override
    public void close() {
        closed = true;
        verbs.destroySharedReceiveQueue(queue);
        if (isShown || !kept.isEmpty()) {
            region.closeUnread();
        } else {
            region.close();
        }
        Memory.free(requests);
    }
}
