package org.sluice.ib.sim;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.sluice.device.memory.Memory;
import org.sluice.ib.sim.Objects.Channel;
import org.sluice.ib.sim.Objects.Completion;
import org.sluice.ib.sim.Objects.CompletionQueue;
import org.sluice.ib.sim.Objects.Context;
import org.sluice.ib.sim.Objects.QueuePair;
import org.sluice.ib.sim.Objects.Region;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** Carries out send work requests, in order and at once; one that finds no receive slot waits, and all behind it. */
final class Wire {
    private static final int LOCAL_LENGTH = 1;
    private static final int LOCAL_PROTECTION = 4;
    private static final int FLUSHED = 5;
    private static final int REMOTE_INVALID = 9;
    private static final int REMOTE_ACCESS = 10;
    private static final int NO_ACKNOWLEDGEMENT = 12;
    private static final int SRQ_LIMIT_REACHED = 15;

    private final Objects objects;
    private final Context context;
    /** Those whose work waits for something. */
    private final Set<QueuePair> stalled = new LinkedHashSet<>();
    /** There is something for who waits for descriptors. */
    private boolean hasTold;

    Wire(Objects objects, Context context) {
        this.objects = objects;
        this.context = context;
    }

    void post(QueuePair from, Work work) {
        if (from.isFailed) {
            complete(from, work, FLUSHED);
        } else {
            from.waiting.add(work);
            run(from);
        }
    }

    /** Whether anybody who waits has to look, since the last call. */
    boolean hasTold() {
        boolean told = hasTold;
        hasTold = false;
        return told;
    }

    /** Receive slots were posted. */
    void runAll() {
        if (!stalled.isEmpty()) {
            List<QueuePair> again = List.copyOf(stalled);
            stalled.clear();
            again.forEach(this::run);
        }
    }

    void fail(QueuePair which) {
        which.isFailed = true;
        for (Work each = which.waiting.poll(); each != null; each = which.waiting.poll()) {
            complete(which, each, FLUSHED);
        }
    }

    private void run(QueuePair from) {
        if (!from.isConnected) {
            stalled.add(from);
            return;
        }
        while (!from.waiting.isEmpty()) {
            Work work = from.waiting.peek();
            QueuePair to = from.peer;
            boolean isDead = to == null || to.isFailed || to.isGone;
            if (!isDead && work.takesSlot() && to.receives.posted.isEmpty()) {
                stalled.add(from);
                return;
            }
            from.waiting.poll();
            int status = isDead ? NO_ACKNOWLEDGEMENT : carry(from, to, work);
            if (status != 0) {
                complete(from, work, status);
                fail(from);
                return;
            }
            if (work.isSignaled()) {
                complete(from, work, 0);
            }
        }
    }

    private int carry(QueuePair from, QueuePair to, Work work) {
        boolean isRead = work.opcode() == VerbsLayout.OPCODE_RDMA_READ;
        if (work.bytes() > context.mostMessageBytes) {
            return LOCAL_LENGTH;
        }
        for (int i = 0; work.inline() == null && i < work.addresses().length; i++) {
            Region own = objects.region(work.keys()[i]);
            if (own == null
                    || !own.allows(
                            from.domain,
                            work.addresses()[i],
                            work.lengths()[i],
                            isRead ? VerbsCalls.ACCESS_LOCAL_WRITE : 0)) {
                return LOCAL_PROTECTION;
            }
        }
        if (work.opcode() == VerbsLayout.OPCODE_SEND) {
            return send(to, work);
        }
        if (work.bytes() > 0) {
            Region theirs = objects.region(work.remoteKey());
            if (theirs == null
                    || !theirs.allows(to.domain, work.remoteAddress(), work.bytes(), Objects.remote(isRead))) {
                fail(to);
                return REMOTE_ACCESS;
            }
            copy(work, work.remoteAddress(), isRead);
        }
        if (work.opcode() == VerbsLayout.OPCODE_RDMA_WRITE_WITH_IMM) {
            long[] slot = take(to);
            complete(
                    to.queue,
                    new Completion(slot[0], 0, VerbsLayout.WC_RECV + 1, work.bytes(), work.immediate(), to.number));
        }
        return 0;
    }

    private int send(QueuePair to, Work work) {
        long[] slot = take(to);
        Region region = objects.region((int) slot[3]);
        if (region == null
                || !region.allows(to.domain, slot[1], slot[2], VerbsCalls.ACCESS_LOCAL_WRITE)
                || work.bytes() > slot[2]) {
            complete(
                    to.queue,
                    new Completion(
                            slot[0],
                            region == null ? LOCAL_PROTECTION : LOCAL_LENGTH,
                            VerbsLayout.WC_RECV,
                            0,
                            0,
                            to.number));
            fail(to);
            return REMOTE_INVALID;
        }
        copy(work, slot[1], false);
        complete(to.queue, new Completion(slot[0], 0, VerbsLayout.WC_RECV, work.bytes(), 0, to.number));
        return 0;
    }

    private long[] take(QueuePair to) {
        long[] slot = to.receives.posted.poll();
        if (to.receives.posted.size() < to.receives.limit) {
            to.receives.limit = 0;
            context.events.add(new long[] {SRQ_LIMIT_REACHED, to.receives.handle});
            hasTold = true;
        }
        return slot;
    }

    private static void copy(Work work, long remote, boolean isRead) {
        if (work.inline() != null) {
            Memory.copy(work.inline(), Memory.arrayOffset(work.inline()), null, remote, work.inline().length);
            return;
        }
        long at = remote;
        for (int i = 0; i < work.addresses().length; i++) {
            long own = work.addresses()[i];
            Memory.copy(null, isRead ? at : own, null, isRead ? own : at, work.lengths()[i]);
            at += work.lengths()[i];
        }
    }

    private void complete(QueuePair of, Work work, int status) {
        int opcode = work.opcode() == VerbsLayout.OPCODE_SEND
                ? VerbsLayout.WC_SEND
                : work.opcode() == VerbsLayout.OPCODE_RDMA_READ ? VerbsLayout.WC_RDMA_READ : VerbsLayout.WC_RDMA_WRITE;
        complete(of.queue, new Completion(work.id(), status, opcode, 0, 0, of.number));
    }

    private void complete(CompletionQueue queue, Completion one) {
        queue.entries.add(one);
        Channel channel = queue.channel;
        if (queue.isArmed && channel != null) {
            queue.isArmed = false;
            channel.events++;
            hasTold = true;
        }
    }

    /** Writes what {@code ibv_poll_cq} would. */
    static int poll(ArrayDeque<Completion> entries, int count, long address) {
        int taken = 0;
        while (taken < count && !entries.isEmpty()) {
            Completion one = entries.poll();
            long at = address + (long) taken++ * VerbsLayout.WC_BYTES;
            Memory.setZero(at, VerbsLayout.WC_BYTES);
            Memory.putLong(at + VerbsLayout.WC_WR_ID, one.id());
            Memory.putInt(at + VerbsLayout.WC_STATUS, one.status());
            Memory.putInt(at + VerbsLayout.WC_OPCODE, one.opcode());
            Memory.putInt(at + VerbsLayout.WC_LENGTH, one.bytes());
            Memory.putInt(at + VerbsLayout.WC_IMMEDIATE, one.immediate());
            Memory.putInt(at + VerbsLayout.WC_QUEUE_PAIR, (int) one.queuePair());
        }
        return taken;
    }
}
