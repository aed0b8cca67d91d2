package org.sluice.ib.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluice.device.SluiceException;
import org.sluice.device.memory.Memory;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.ib.adapter.VerbsFailure;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * One shared receive queue and the slots that are posted to it: where packets of all peers come in. A slot is posted
 * again once its packet was handed up, several at a time; or later, where a message in it is kept ({@link KeptBodies}).
 * Where the adapter tells that few are left, because this rank makes no call or has more peers than slots,
 * {@link #grow} adds as many as there were at first, without this rank's progress.
 *
 * <p><i>Thread</i>: under the progress lock; {@link #grow} and {@link #close} any. <i>Owns</i>: the memory and the
 * queue; memory that the program may still read is left to the collector, as a lease leads here. <i>Proof</i>:
 * {@code IbChannelRxeTest}, {@code ReceiveSlotsRxeTest}, {@code UncopiedRxeTest}.
 */
public final class ReceiveSlots implements PacketPlace, AutoCloseable {
    private static final int MOST_TOGETHER = 16;
    /** Of the first slots, this part may hold messages that are kept: peers are promised the others. */
    private static final int KEPT_PART = 4;

    private static final int REQUEST_BYTES = VerbsLayout.RECV_WR_BYTES + VerbsLayout.SGE_BYTES;
    /** Of the slots so many parts are left when the adapter tells. */
    private static final int FEW = 8;

    private final VerbsCalls verbs;
    private final long domain;
    private final int stepSlots;
    private final int slotBytes;
    private final int together;
    private final long queue;
    /** Under this object's monitor, as the next two. */
    private final List<Region> regions = new ArrayList<>();

    private final List<Long> memories = new ArrayList<>();
    private int most;
    private boolean closed;
    /** By slot; replaced by longer ones before the slots behind are posted. */
    private volatile long[] addresses = {};

    private volatile long[] requests = {};
    /** Of the first slots: those that were added keep nothing. */
    private Region firstRegion;

    private final KeptBodies kept;
    private boolean isShown;
    private long bad;
    private int first = -1;
    private int last = -1;
    private int waiting;

    /**
     * @param count slots from the start, and in each step
     * @param most what the queue can hold in the end
     */
    public ReceiveSlots(VerbsCalls verbs, long domain, int count, int most, int slotBytes) {
        this.verbs = verbs;
        this.domain = domain;
        this.stepSlots = count;
        this.most = most;
        this.slotBytes = slotBytes;
        this.together = Math.max(1, Math.min(MOST_TOGETHER, count / 4));
        this.kept = new KeptBodies(count, mostKept(count));
        this.queue = VerbsFailure.check("ibv_create_srq of " + most, verbs.createSharedReceiveQueue(domain, most, 1));
        try {
            bad = add();
            firstRegion = regions.get(0);
            for (int slot = 0; slot < count; slot++) {
                append(slot);
            }
            VerbsFailure.check("ibv_post_srq_recv of " + count, tryPost());
        } catch (RuntimeException e) {
            GivingBack.after(e, this);
            throw e;
        }
        // Without the device's word for it there is no growth, and nothing else is missing.
        arm();
    }

    /** How many of so many slots may be kept from the adapter. */
    public static int mostKept(int count) {
        return count / KEPT_PART;
    }

    private void arm() {
        if (addresses.length + stepSlots <= most) {
            verbs.setLimit(queue, Math.max(1, stepSlots / FEW));
        }
    }

    /**
     * Makes slots that are not posted yet.
     *
     * @return where a post of them may write what it refused
     */
    private long add() {
        Region region = new Region(verbs, domain, (long) stepSlots * slotBytes, VerbsCalls.ACCESS_LOCAL_WRITE);
        regions.add(region);
        long memory = Memory.allocate((long) stepSlots * REQUEST_BYTES + Long.BYTES);
        memories.add(memory);
        Memory.setZero(memory, (long) stepSlots * REQUEST_BYTES + Long.BYTES);
        int before = addresses.length;
        long[] allAddresses = Arrays.copyOf(addresses, before + stepSlots);
        long[] allRequests = Arrays.copyOf(requests, before + stepSlots);
        for (int i = 0; i < stepSlots; i++) {
            allAddresses[before + i] = region.address() + (long) i * slotBytes;
            allRequests[before + i] = memory + (long) i * REQUEST_BYTES;
            prepare(allRequests[before + i], before + i, allAddresses[before + i], region.lkey());
        }
        requests = allRequests;
        addresses = allAddresses;
        return memory + (long) stepSlots * REQUEST_BYTES;
    }

    private void prepare(long request, int slot, long address, int lkey) {
        long sge = request + VerbsLayout.RECV_WR_BYTES;
        Memory.putLong(sge + VerbsLayout.SGE_ADDRESS, address);
        Memory.putInt(sge + VerbsLayout.SGE_LENGTH, slotBytes);
        Memory.putInt(sge + VerbsLayout.SGE_LKEY, lkey);
        Memory.putLong(request + VerbsLayout.WR_ID, WorkIds.of(WorkIds.RECEIVE, 0, slot));
        Memory.putLong(request + VerbsLayout.WR_SGE_LIST, sge);
        Memory.putInt(request + VerbsLayout.WR_SGES, 1);
    }

    /**
     * Few slots are posted: adds some, unless there are as many as may be, or no more memory can be registered.
     *
     * @return how many it added
     */
    public synchronized int grow() {
        int before = addresses.length;
        if (closed || before + stepSlots > most) {
            return 0;
        }
        long refused;
        try {
            refused = add();
        } catch (SluiceException | OutOfMemoryError e) {
            // What there is has to do.
            most = before;
            return 0;
        }
        for (int slot = before; slot + 1 < addresses.length; slot++) {
            Memory.putLong(requests[slot] + VerbsLayout.WR_NEXT, requests[slot + 1]);
        }
        if (verbs.postReceive(queue, requests[before], refused) < 0) {
            // Some may be posted, so all stay; none is counted on.
            most = before;
            return 0;
        }
        arm();
        return stepSlots;
    }

    public long queue() {
        return queue;
    }

    /** How many there are by now. */
    public int count() {
        return addresses.length;
    }

    /** Where the packet in this slot begins. */
    public long address(int slot) {
        return addresses[slot];
    }

    public boolean isSlot(int slot) {
        return slot >= 0 && slot < addresses.length;
    }

    @Override
    public void release(int slot) {
        if (slot >= stepSlots || kept.handedUp(slot)) {
            free(slot);
        }
    }

    private void free(int slot) {
        append(slot);
        if (waiting >= together) {
            post();
        }
    }

    /**
     * A message of the packet that is being handed up stays.
     *
     * @param address in it
     * @return false where it is in no slot, or too many are kept
     */
    public boolean keep(long address) {
        long at = address - firstRegion.address();
        return at >= 0 && at < (long) stepSlots * slotBytes && kept.keep((int) (at / slotBytes));
    }

    /** The program reads what was kept. */
    public void show() {
        isShown = true;
    }

    /**
     * A message that was kept is needed no more.
     *
     * @param address in it
     */
    public void giveBack(long address) {
        int slot = (int) ((address - firstRegion.address()) / slotBytes);
        if (kept.giveBack(slot) && !closed) {
            append(slot);
            if (waiting >= together) {
                // What is refused waits for the next poll, which tells of it: it is given back, and whoever closes a
                // lease can't do that twice.
                tryPost();
            }
        }
    }

    private void append(int slot) {
        Memory.putLong(requests[slot] + VerbsLayout.WR_NEXT, 0);
        if (last < 0) {
            first = slot;
        } else {
            Memory.putLong(requests[last] + VerbsLayout.WR_NEXT, requests[slot]);
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
        int result = verbs.postReceive(queue, requests[first], bad);
        if (result < 0) {
            long refused = Memory.getLong(bad);
            while (requests[first] != refused && first != last) {
                first = WorkIds.number(
                        Memory.getLong(Memory.getLong(requests[first] + VerbsLayout.WR_NEXT) + VerbsLayout.WR_ID));
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
    public synchronized void close() {
        if (!closed) {
            closed = true;
            GivingBack back = new GivingBack();
            back.took("ibv_destroy_srq", verbs.destroySharedReceiveQueue(queue));
            for (Region region : regions) {
                back.close(region == firstRegion && (isShown || !kept.isEmpty()) ? region::closeUnread : region);
            }
            for (long memory : memories) {
                Memory.free(memory);
            }
            back.end();
        }
    }
}
