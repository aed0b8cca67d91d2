package org.sluice.hybrid.receive;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Keeping;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.operation.PeerFailures;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.persistent.InboundSlots;
import org.sluice.hybrid.rendezvous.RendezvousReceiver;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.EagerShare;

/**
 * Brings a message, wherever it lies, to the receive that it belongs to, or shows where it can be read in place; and
 * tells its sender what became of it.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: messages that are stored. <i>Fails</i>: pages of the
 * program's buffer that are gone end this receive alone; the message is consumed. Where the channel has lost memory the
 * receive fails as its peer will. <i>Proof</i>: the device conformance suite, {@code LostBufferCases},
 * {@code LostSegmentTest}.
 */
public final class Delivery {
    /** Whom it tells of what is nobody's fault. */
    public interface Broken {
        /**
         * What a call works on broke as it began: everything ends.
         *
         * @return what to throw
         */
        SluiceException broke(RuntimeException cause);
    }

    public final Source[] sources;
    public final StoredMessages store = new StoredMessages();
    public final OpenLeases leases = new OpenLeases();
    final Counters counters;
    private final Ends ends;
    private final PeerFailures failures;
    private final RendezvousReceiver rendezvous;
    private final Broken broken;
    /** Why nothing is received any more, or null. */
    private Failure over;

    public Delivery(
            Source[] sources,
            Ends ends,
            PeerFailures failures,
            RendezvousReceiver rendezvous,
            Counters counters,
            Broken broken) {
        this.sources = sources;
        this.ends = ends;
        this.failures = failures;
        this.rendezvous = rendezvous;
        this.counters = counters;
        this.broken = broken;
    }

    /** Nothing is received any more; the first reason counts. */
    void end(Failure failure) {
        over = over == null ? failure : over;
    }

    /** Why nothing is received any more, or null. */
    Failure over() {
        return over;
    }

    /** False once the device closes: then nothing is read in place any more. */
    boolean isReceiving() {
        return over == null;
    }

    /** Leases end with their device, so that none begins afterwards. */
    public void checkReceiving() {
        if (!isReceiving()) {
            Failure ended = failures.device();
            throw ended != null
                    ? ended.toException(null)
                    : new SluiceException(ErrorCode.DEVICE_CLOSED, "this device is being closed: take messages before");
        }
    }

    /** Receives a message that was stored, and is out of the queue. */
    public void receive(ReceiveOperation operation, StoredMessage message) {
        if (message.slots != null) {
            receiveFromSlot(operation, message);
        } else if (message.rendezvous) {
            Failure failure = over != null ? over : failures.of(message.source);
            if (failure != null) {
                ends.failed(operation, failure);
            } else {
                rendezvous.accept(
                        operation, message.source, message.tag, message.bytes, message.sendId, message.reference);
            }
        } else {
            deliver(operation, message.payload, message.address, message.source, message.tag, message.bytes);
            if (message.kept) {
                giveBack(message.source, message.address);
            }
            matchedEagerly(sources[message.source], message.bytes);
        }
        giveBack(message);
    }

    /** As above, for a buffer that was checked. */
    public void receive(StoredMessage message, Object buffer, long offset, long bytes, Completion completion) {
        ReceiveOperation operation = ends.receiveOperation(
                buffer, offset, bytes, message.contextId, message.source, message.tag, completion);
        try {
            receive(operation, message);
        } catch (RuntimeException e) {
            throw broken.broke(e);
        }
    }

    /** What arrived there is received also from a peer that is gone; its memory is this device's. */
    private void receiveFromSlot(ReceiveOperation operation, StoredMessage message) {
        if (over != null) {
            ends.failed(operation, over);
            return;
        }
        if (!message.slots.isHere(message.slot)) {
            await(operation, message);
            return;
        }
        deliver(operation, null, message.slots.address(message.slot), message.source, message.tag, message.bytes);
        message.slots.release(message.slot);
    }

    /** Its bytes are still written: it ends when they are there, or its peer ends. */
    private void await(ReceiveOperation operation, StoredMessage message) {
        Failure failure = failures.of(message.source);
        if (failure != null) {
            message.slots.release(message.slot);
            ends.failed(operation, failure);
        } else {
            await(operation, message, false);
        }
    }

    private void await(ReceiveOperation operation, StoredMessage message, boolean isLook) {
        long id = rendezvous.await(operation, message.source, message.tag, message.bytes);
        long before = message.slots.await(message.slot, id, isLook);
        if (before != InboundSlots.NONE) {
            // Somebody who only looks: it has to look again.
            endLook(rendezvous.awaited(before));
        }
    }

    private void endLook(ReceiveOperation operation) {
        if (operation != null) {
            ends.received(operation, operation.peer, operation.messageTag, 0);
        }
    }

    /** As {@link TakenMessage#await}: the message stays where it is. */
    void awaitHere(StoredMessage message, Completion arrival) {
        ReceiveOperation operation =
                ends.receiveOperation(null, 0, 0, message.contextId, message.source, message.tag, arrival);
        await(operation, message, true);
    }

    /** All bytes of a message are in its slot now. */
    void ended(InboundSlots slots, int slot) {
        long id = slots.ended(slot);
        if (id == InboundSlots.NONE) {
            return;
        }
        ReceiveOperation operation = rendezvous.awaited(id);
        if (slots.isLooked(slot)) {
            endLook(operation);
            return;
        }
        // None where it ended before, with its device.
        if (operation != null) {
            deliver(operation, null, slots.address(slot), operation.peer, operation.messageTag, operation.messageBytes);
        }
        slots.release(slot);
    }

    /** Whether what was just copied out of a packet of this peer may be zeros instead; then the peer fails soon. */
    public boolean isLost(int peer) {
        return sources[peer].lostMemory() != null;
    }

    /** @param base array that {@code address} counts from, or null */
    void deliver(ReceiveOperation operation, Object base, long address, int source, int tag, long bytes) {
        long length = Math.min(bytes, operation.bytes);
        Memory.copy(base, address, operation.base, operation.address, length);
        countCopy(counters, length);
        String lost = sources[source].lostMemory();
        if (lost != null) {
            ends.failed(operation, Failure.ofCorruptPeer(source, lost));
            return;
        }
        // A fault that the JVM still keeps to itself comes out there, before anything is told.
        ends.received(operation, source, tag, bytes);
    }

    public static void countCopy(Counters counters, long bytes) {
        counters.increment(Counter.COPIES);
        counters.add(Counter.COPIED_BYTES, bytes);
    }

    /**
     * Counts a message that went past the queue, as by {@link org.sluice.device.channel.Endpoint#takeEager}. One call
     * where nearly all looks find nothing, as in {@code RingReader}.
     */
    void taken(Source from, int length) {
        from.came(length);
        counters.increment(Counter.RECEIVED_EXPECTED);
        countCopy(counters, length);
        matchedEagerly(from, length);
    }

    /** Eager bytes of this peer are no longer stored here: tells it now and then. */
    public void matchedEagerly(Source from, long bytes) {
        from.unreleased += EagerShare.charge(bytes);
        if (from.unreleased >= from.releaseStep) {
            ends.control(from.route, PacketKind.RELEASE, from.release(), 0, 0, Long.BYTES);
        }
    }

    /** Where a message can be read in place; 0 when it can't. */
    public long addressInPlace(StoredMessage message) {
        if (message.slots != null) {
            return isReceiving() && message.slots.isHere(message.slot) ? message.slots.address(message.slot) : 0;
        }
        return message.rendezvous
                        && message.reference.key != RemoteReference.NO_REFERENCE
                        && failures.of(message.source) == null
                ? sources[message.source].addressInPlace(message.reference, message.bytes)
                : 0;
    }

    /** The send that a message, read in place, came from may complete. */
    public void endInPlace(int peer, long sendId) {
        ends.control(sources[peer].route, PacketKind.RNDV_END, sendId, 0, 0, Long.BYTES);
    }

    /**
     * A message that a matched probe took is read where the channel keeps it, and {@link Keeping#giveBack given back}
     * later.
     */
    void takenInPlace(StoredMessage message) {
        sources[message.source].keeping.show(message.address);
        matchedEagerly(sources[message.source], message.bytes);
        giveBack(message);
    }

    /** A message that was read where this rank's channel keeps it is needed no more. */
    public void giveBack(int source, long address) {
        sources[source].keeping.giveBack(address);
    }

    /** Nobody knows it any more. */
    public void giveBack(StoredMessage message) {
        store.recycle(message);
    }
}
