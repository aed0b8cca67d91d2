package org.sluice.hybrid.receive;

import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Lease;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.counter.Counter;
import org.sluice.hybrid.persistent.InboundSlots;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Waiting;

/**
 * A message that a matched probe takes out of the queue; made before there is one, so that one that was taken is always
 * had by somebody.
 *
 * <p><i>Thread</i>: any; the first to receive has it. <i>Owns</i>: the stored message, until received. <i>Proof</i>:
 * the device conformance suite.
 */
public final class TakenMessage implements Message {
    private final Delivery delivery;
    private final ProgressEngine engine;
    private final Waiting waiting;
    private final MessageAllocator allocator;
    private final Status status = new Status();
    /** Null before it is there, and once received; under the progress lock. */
    private StoredMessage message;

    public TakenMessage(Delivery delivery, ProgressEngine engine, Waiting waiting, MessageAllocator allocator) {
        this.delivery = delivery;
        this.engine = engine;
        this.waiting = waiting;
        this.allocator = allocator;
    }

    /** Out of the queue; under the lock. */
    void took(StoredMessage taken) {
        message = taken;
        status.set(taken.source, taken.tag, taken.contextId, taken.bytes, 1, ErrorCode.NONE);
    }

    @Override
    public Status status() {
        return status;
    }

    @Override
    public Status recv(Object buffer) {
        return recv(buffer, 0, Device.WHOLE);
    }

    @Override
    public Status recv(Object buffer, long offset, long count) {
        return irecv(buffer, offset, count).waitFor();
    }

    @Override
    public Request irecv(Object buffer, long offset, long count) {
        long bytes = UserBuffer.bytesToReceive(buffer, offset, count);
        Completion completion = Completion.ofReceive(waiting);
        receive(buffer, offset, bytes, completion);
        return completion;
    }

    /** For a buffer that was checked. */
    public void receive(Object buffer, long offset, long bytes, Completion completion) {
        engine.locked(() -> begin(buffer, offset, bytes, completion));
    }

    /**
     * Under the lock, for a buffer that was checked. Where it throws nothing has begun, and the message can still be
     * received.
     */
    public void begin(Object buffer, long offset, long bytes, Completion completion) {
        delivery.receive(untaken(), buffer, offset, bytes, completion);
        message = null;
    }

    private StoredMessage untaken() {
        if (message == null) {
            throw new IllegalStateException("this message has been received already: " + status);
        }
        return message;
    }

    @Override
    public Lease recvInPlace() {
        Lease lease = leaseInPlace();
        if (lease == null && hasCome()) {
            lease = leaseInPlace();
        }
        if (lease != null) {
            return lease;
        }
        MessageMemory memory = copyPlace();
        try {
            return leaseOf(memory, recv(memory));
        } catch (RuntimeException e) {
            close(memory, e);
            throw e;
        }
    }

    /** It may still be written to, and says so: then it goes when it is collected. */
    private static void close(MessageMemory memory, Throwable cause) {
        try {
            memory.close();
        } catch (IllegalStateException e) {
            cause.addSuppressed(e);
        }
    }

    /** As {@link #recvInPlace} for who could not receive it afterwards: where this throws it is dropped. */
    public Lease recvInPlaceOrDrop() {
        try {
            return recvInPlace();
        } catch (RuntimeException e) {
            dropAfter(e);
            throw e;
        }
    }

    /** Nobody wants it: its sender goes on. Nothing happens where it has been received. */
    public void drop() {
        engine.locked(this::dropNow);
    }

    private void dropNow() {
        if (message != null) {
            begin(null, 0, 0, Completion.reusable(waiting));
        }
    }

    /** As {@link #drop}, where something was thrown before it was received. */
    public void dropAfter(Throwable cause) {
        try {
            drop();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /** @return null where the bytes are nowhere where they could be read: they have to come into {@link #copyPlace} */
    public Lease leaseInPlace() {
        Lease[] lease = new Lease[1];
        engine.locked(() -> lease[0] = leaseNow());
        return lease[0];
    }

    /**
     * Waits for one that is being written into a slot, where it can be read.
     *
     * @return false where it isn't
     */
    private boolean hasCome() {
        boolean[] come = new boolean[1];
        engine.locked(() -> {
            if (isComing()) {
                Completion arrival = Completion.reusable(null);
                await(arrival);
                engine.await(arrival, Waiting.FOREVER);
                come[0] = arrival.failure() == null;
            }
        });
        return come[0];
    }

    /** Under the lock: it is being written into a slot, and can be read there once {@link #await} has ended. */
    public boolean isComing() {
        return message != null && message.isComing();
    }

    /** Under the lock: ends when it is there, or will never be; the message can be received afterwards. */
    public void await(Completion arrival) {
        delivery.awaitHere(message, arrival);
    }

    private Lease leaseNow() {
        delivery.checkReceiving();
        if (message == null) {
            return null;
        }
        if (message.kept) {
            return leaseOfKept(message);
        }
        long address = delivery.addressInPlace(message);
        if (address == 0) {
            return null;
        }
        return message.slots != null ? leaseOfSlot(message, address) : leaseOfPeer(message, address);
    }

    /**
     * Under the lock.
     *
     * @return false where its receive takes its time, as the bytes are with the sender
     */
    public boolean isHere() {
        return message == null || !message.rendezvous || message.slots != null && message.slots.isHere(message.slot);
    }

    /** The device that has it. */
    public Waiting device() {
        return waiting;
    }

    /** Memory of this device that the message can be received into. */
    public MessageMemory copyPlace() {
        return MessageMemory.unzeroed(allocator, status.bytes());
    }

    /** A lease of {@link #copyPlace}, which it closes at its end, when the message is there. */
    public Lease leaseOf(MessageMemory memory, Status received) {
        MemoryLease lease = new MemoryLease(
                received, memory.address(), memory, MemoryLease.Place.COPY, memory::close, delivery.leases);
        engine.locked(() -> delivery.leases.opened(lease));
        return lease;
    }

    private Lease leaseOfKept(StoredMessage untaken) {
        int source = untaken.source;
        long address = untaken.address;
        Lease lease = taken(new MemoryLease(
                status,
                address,
                delivery,
                MemoryLease.Place.ARRIVED,
                () -> delivery.giveBack(source, address),
                delivery.leases));
        delivery.takenInPlace(untaken);
        return lease;
    }

    private Lease leaseOfPeer(StoredMessage untaken, long address) {
        int peer = untaken.source;
        long sendId = untaken.sendId;
        Object keepAlive = untaken.reference.object == null ? delivery : untaken.reference.object;
        Lease lease = taken(new MemoryLease(
                status,
                address,
                keepAlive,
                MemoryLease.Place.OF_SENDER,
                () -> delivery.endInPlace(peer, sendId),
                delivery.leases));
        delivery.giveBack(untaken);
        return lease;
    }

    /** The sender wrote it where it is read. */
    private Lease leaseOfSlot(StoredMessage untaken, long address) {
        InboundSlots slots = untaken.slots;
        int slot = untaken.slot;
        Lease lease = taken(new MemoryLease(
                status, address, delivery, MemoryLease.Place.ARRIVED, () -> slots.release(slot), delivery.leases));
        delivery.giveBack(untaken);
        return lease;
    }

    private Lease taken(MemoryLease lease) {
        message = null;
        delivery.leases.opened(lease);
        delivery.counters.increment(Counter.IN_PLACE);
        return lease;
    }

    @Override
    public String toString() {
        return "Message[" + status + "]";
    }
}
