package org.sluice.ib.sim;

import java.util.List;
import java.util.Map;
import org.sluice.device.memory.Memory;
import org.sluice.ib.sim.Objects.Channel;
import org.sluice.ib.sim.Objects.CompletionQueue;
import org.sluice.ib.sim.Objects.Context;
import org.sluice.ib.sim.Objects.Domain;
import org.sluice.ib.sim.Objects.Identifier;
import org.sluice.ib.sim.Objects.QueuePair;
import org.sluice.ib.sim.Objects.ReceiveQueue;
import org.sluice.ib.sim.Objects.Region;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * A device with one port, and a connection manager, for the ranks of one JVM: reliable connections that carry each work
 * request at once. It checks what adapters check (keys, ranges, domains, who still uses what), and notes calls with
 * what doesn't exist, on which the real library would crash.
 *
 * <p><i>Thread</i>: any; one call at a time, which hides races that a real device has. <i>Proof</i>:
 * {@code SimulatedVerbsTest}.
 */
public class SimulatedVerbs extends SimulatedDevice {
    /** What a queue pair has room for anyway, where its work requests name two pieces of memory. */
    private static final int OWN_INLINE = 32;

    private int mostInline = 400;
    private int saidInline;
    private int inlineRefusal = Objects.EINVAL;
    private int lastKey = 0x100;
    private long lastNumber = 16;
    private int completionEntries;
    private int sendRequests;

    /** What was asked that a real library would crash on, or could not know of. */
    public synchronized List<String> wrongs() {
        return objects.wrongs();
    }

    /** How many objects of each kind were not given back. */
    public synchronized Map<String, Integer> living() {
        return objects.living();
    }

    /**
     * Makes it a device that allows less.
     *
     * @param field {@code DEVICE_}
     */
    public SimulatedVerbs limit(int field, long value) {
        limits[field] = value;
        return this;
    }

    /** Makes it a device whose work requests have room for so many bytes, and no more. */
    public SimulatedVerbs inline(int most) {
        mostInline = most;
        return this;
    }

    /**
     * Makes it a device that says its work requests have room for more than they have, and answers to such a one as if
     * its queue were full.
     */
    public SimulatedVerbs saysInline(int bytes) {
        saidInline = bytes;
        return this;
    }

    /** Makes it a device that has another error than EINVAL for a queue pair with more room. */
    public SimulatedVerbs refusesInline(int errno) {
        inlineRefusal = errno;
        return this;
    }

    /** How many entries the completion queue has that was made last. */
    public synchronized int completionEntries() {
        return completionEntries;
    }

    /** How many send work requests the queue pair has that was made last. */
    public synchronized int sendRequests() {
        return sendRequests;
    }

    /**
     * Has the device report something to whoever looks first.
     *
     * @param number as {@link #ASYNC_NUMBER}
     */
    public synchronized void report(long kind, long number) {
        context.events.add(new long[] {kind, number});
        notifyAll();
    }

    /** Before it is opened: no message is longer than so many bytes. */
    public synchronized void carryAtMost(long bytes) {
        context.mostMessageBytes = bytes;
    }

    @Override
    public synchronized long allocateProtectionDomain(long of) {
        return objects.get(Context.class, of) == null ? -Objects.EINVAL : objects.add(new Domain());
    }

    @Override
    public synchronized int deallocateProtectionDomain(long domain) {
        Domain found = objects.get(Domain.class, domain);
        return remove(found, domain, found == null ? 0 : found.users);
    }

    @Override
    public synchronized long createCompletionChannel(long of) {
        Channel made = new Channel();
        made.descriptor = objects.describe(made);
        return objects.add(made);
    }

    @Override
    public synchronized int destroyCompletionChannel(long channel) {
        Channel found = objects.get(Channel.class, channel);
        if (found != null && found.users == 0) {
            objects.close(found.descriptor);
        }
        return remove(found, channel, found == null ? 0 : found.users);
    }

    @Override
    public synchronized int completionChannelFd(long channel) {
        Channel found = objects.get(Channel.class, channel);
        return found == null ? -Objects.EINVAL : found.descriptor;
    }

    @Override
    public synchronized long createCompletionQueue(long of, int entries, long channel) {
        if (entries > limits[DEVICE_MAX_CQE]) {
            return -Objects.EINVAL;
        }
        CompletionQueue made = new CompletionQueue();
        made.capacity = entries;
        completionEntries = entries;
        made.channel = objects.get(Channel.class, channel);
        made.channel.users++;
        return objects.add(made);
    }

    @Override
    public synchronized int destroyCompletionQueue(long queue) {
        CompletionQueue found = objects.get(CompletionQueue.class, queue);
        if (found != null && found.users == 0) {
            found.channel.users--;
        }
        return remove(found, queue, found == null ? 0 : found.users);
    }

    @Override
    public synchronized int requestNotify(long queue) {
        CompletionQueue found = objects.get(CompletionQueue.class, queue);
        if (found == null) {
            return -Objects.EINVAL;
        }
        found.isArmed = true;
        return 0;
    }

    @Override
    public synchronized int drainCompletionEvents(long channel) {
        Channel found = objects.get(Channel.class, channel);
        int events = found == null ? -Objects.EINVAL : found.events;
        if (found != null) {
            found.events = 0;
        }
        return events;
    }

    @Override
    public synchronized int poll(long queue, int count, long address) {
        CompletionQueue found = objects.get(CompletionQueue.class, queue);
        if (found == null) {
            return -Objects.EINVAL;
        }
        if (found.entries.size() > found.capacity) {
            objects.wrong("a completion queue of " + found.capacity + " has " + found.entries.size());
        }
        return Wire.poll(found.entries, count, address);
    }

    @Override
    public synchronized long createSharedReceiveQueue(long domain, int maxWr, int maxSge) {
        if (maxWr > limits[DEVICE_MAX_SRQ_WR]) {
            return -Objects.EINVAL;
        }
        ReceiveQueue made = new ReceiveQueue();
        made.domain = objects.get(Domain.class, domain);
        made.domain.users++;
        made.handle = objects.add(made);
        return made.handle;
    }

    @Override
    public synchronized int setLimit(long sharedReceiveQueue, int limit) {
        objects.get(ReceiveQueue.class, sharedReceiveQueue).limit = limit;
        return 0;
    }

    @Override
    public synchronized int destroySharedReceiveQueue(long queue) {
        ReceiveQueue found = objects.get(ReceiveQueue.class, queue);
        if (found != null && found.users == 0) {
            found.domain.users--;
        }
        return remove(found, queue, found == null ? 0 : found.users);
    }

    @Override
    public synchronized int postReceive(long sharedReceiveQueue, long workRequest, long badAddress) {
        if (sharedReceiveQueue == 0) {
            return refused(workRequest, badAddress);
        }
        ReceiveQueue queue = objects.get(ReceiveQueue.class, sharedReceiveQueue);
        for (long at = workRequest; queue != null && at != 0; at = Memory.getLong(at + VerbsLayout.WR_NEXT)) {
            long sge = Memory.getLong(at + VerbsLayout.WR_SGE_LIST);
            queue.posted.add(new long[] {
                Memory.getLong(at + VerbsLayout.WR_ID),
                Memory.getLong(sge + VerbsLayout.SGE_ADDRESS),
                Memory.getInt(sge + VerbsLayout.SGE_LENGTH),
                Memory.getInt(sge + VerbsLayout.SGE_LKEY)
            });
        }
        wire.runAll();
        wakeIfTold();
        return queue == null ? -Objects.EINVAL : 0;
    }

    @Override
    public synchronized int postSend(long queuePair, long workRequest, long badAddress) {
        if (queuePair == 0) {
            return refused(workRequest, badAddress);
        }
        QueuePair from = objects.get(QueuePair.class, queuePair);
        for (long at = workRequest; from != null && at != 0; at = Memory.getLong(at + VerbsLayout.WR_NEXT)) {
            Work work = Work.read(at);
            if (work.inline() != null && work.bytes() > from.inline) {
                refused(at, badAddress);
                return work.bytes() > saidInline ? -Objects.EINVAL : -Errno.ENOMEM;
            }
            wire.post(from, work);
        }
        wakeIfTold();
        return from == null ? -Objects.EINVAL : 0;
    }

    /** Not for each message: nobody waits for those but by polling. */
    private void wakeIfTold() {
        if (wire.hasTold()) {
            notifyAll();
        }
    }

    /** As a post to the handle 0. */
    private static int refused(long workRequest, long badAddress) {
        Memory.putLong(badAddress, workRequest);
        return -Objects.EINVAL;
    }

    @Override
    public synchronized int registerMemory(long domain, long address, long bytes, int access, long[] out) {
        if (bytes > limits[DEVICE_MAX_MR_SIZE]) {
            return -Objects.EINVAL;
        }
        Domain of = objects.get(Domain.class, domain);
        of.users++;
        lastKey += 7;
        out[REGION_HANDLE] = objects.add(new Region(of, address, bytes, access, lastKey));
        out[REGION_LKEY] = lastKey;
        out[REGION_RKEY] = lastKey;
        return 0;
    }

    @Override
    public synchronized int deregisterMemory(long region) {
        Region found = objects.get(Region.class, region);
        if (found != null) {
            found.domain().users--;
        }
        return remove(found, region, 0);
    }

    @Override
    public synchronized long createQueuePair(
            long id, long domain, long sendQueue, long receiveQueue, long sharedReceiveQueue, long[] limits) {
        if (limits[QUEUE_PAIR_MAX_SEND_WR] > this.limits[DEVICE_MAX_QP_WR]
                || limits[QUEUE_PAIR_MAX_SEND_SGE] > this.limits[DEVICE_MAX_SGE]) {
            return -Objects.EINVAL;
        }
        if (limits[QUEUE_PAIR_MAX_INLINE_BYTES] > Math.max(mostInline, saidInline)) {
            return -inlineRefusal;
        }
        if (objects.all(QueuePair.class).size() >= this.limits[DEVICE_MAX_QP]) {
            return -Errno.ENOMEM;
        }
        sendRequests = (int) limits[QUEUE_PAIR_MAX_SEND_WR];
        Identifier of = objects.get(Identifier.class, id);
        QueuePair made = new QueuePair();
        made.number = ++lastNumber;
        made.inline = Math.min(mostInline, Math.max((int) limits[QUEUE_PAIR_MAX_INLINE_BYTES], OWN_INLINE));
        limits[QUEUE_PAIR_MAX_INLINE_BYTES] = Math.max(made.inline, saidInline);
        made.domain = objects.get(Domain.class, domain);
        made.domain.users++;
        made.queue = objects.get(CompletionQueue.class, sendQueue);
        made.queue.users++;
        made.receives = objects.get(ReceiveQueue.class, sharedReceiveQueue);
        made.receives.users++;
        made.handle = objects.add(made);
        of.queuePair = made;
        limits[QUEUE_PAIR_NUMBER] = made.number;
        return made.handle;
    }

    @Override
    public synchronized int destroyQueuePair(long id) {
        Identifier of = objects.get(Identifier.class, id);
        if (of == null || of.queuePair == null) {
            return of == null ? -Objects.EINVAL : 0;
        }
        QueuePair gone = of.queuePair;
        of.queuePair = null;
        gone.isGone = true;
        gone.waiting.clear();
        gone.domain.users--;
        gone.queue.users--;
        gone.receives.users--;
        objects.remove(gone.handle);
        wire.runAll();
        notifyAll();
        return 0;
    }

    @Override
    public synchronized int failQueuePair(long queuePair) {
        QueuePair found = objects.get(QueuePair.class, queuePair);
        if (found != null) {
            wire.fail(found);
            notifyAll();
        }
        return found == null ? -Objects.EINVAL : 0;
    }

    @Override
    public synchronized int queryQueuePair(long queuePair, long[] out) {
        return objects.get(QueuePair.class, queuePair) == null ? -Objects.EINVAL : 0;
    }
}
