package org.sluice.mpi;

import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.LayerPromise;
import org.sluice.device.layer.LayerRequest;
import org.sluice.mpi.schedule.Ranks;

/**
 * Messages between the ranks of a communicator: what {@link Device} has, with the communicator's ranks, and without a
 * match in any other communicator or in the device's own contexts. Wherever a buffer is taken, a {@link Data} may be.
 *
 * <p>Ownership, matching, threads and errors are as {@link Device} has them. With {@link #PROC_NULL} for a rank a call
 * returns at once, and nothing was sent or received.
 */
public abstract class MessageSpace {
    /** As a destination or source: nobody. */
    public static final int PROC_NULL = -4;

    final Layer layer;
    final Ranks ranks;
    /** Of messages; the next ones are the communicator's own. */
    final int context;

    MessageSpace(Layer layer, Ranks ranks, int context) {
        this.layer = layer;
        this.ranks = ranks;
        this.context = context;
    }

    private int dest(int rank) {
        if (rank < 0 || rank >= ranks.size()) {
            throw outOfRange(rank, "PROC_NULL");
        }
        return ranks.inDevice(rank);
    }

    private int source(int rank) {
        if (rank == Device.ANY_SOURCE) {
            return rank;
        }
        if (rank < 0 || rank >= ranks.size()) {
            throw outOfRange(rank, "PROC_NULL or ANY_SOURCE");
        }
        return ranks.inDevice(rank);
    }

    private IllegalArgumentException outOfRange(int rank, String others) {
        return new IllegalArgumentException("rank " + rank + " is out of range: this communicator has ranks 0 to "
                + (ranks.size() - 1) + ", or " + others);
    }

    /** A send to nobody checks its arguments all the same. */
    private static boolean isToNobody(int dest, int tag) {
        if (dest == PROC_NULL && tag < 0) {
            throw new IllegalArgumentException("tag " + tag + ": tags are 0 to " + Integer.MAX_VALUE);
        }
        return dest == PROC_NULL;
    }

    private static boolean isFromNobody(int source, int tag) {
        return source == PROC_NULL && (tag == Device.ANY_TAG || isToNobody(source, tag));
    }

    private Status ofNobody(Status status) {
        status.set(PROC_NULL, Device.ANY_TAG, context, 0, 1, ErrorCode.NONE);
        return status;
    }

    // --- sends -------------------------------------------------------------------------------------------------------

    /** As {@link Device#send(Object, int, int)}. */
    public final void send(Object buffer, int dest, int tag) {
        if (buffer instanceof Data) {
            Flat flat = Flat.toSend((Data) buffer);
            send(flat.buffer, flat.offset, flat.count, dest, tag);
        } else {
            send(buffer, 0, Device.WHOLE, dest, tag);
        }
    }

    /** As {@link Device#send(Object, long, long, int, int)}. */
    public final void send(Object buffer, long offset, long count, int dest, int tag) {
        if (!isToNobody(dest, tag)) {
            layer.send(buffer, offset, count, dest(dest), tag, context);
        }
    }

    /** As {@link Device#ssend(Object, int, int)}. */
    public final void ssend(Object buffer, int dest, int tag) {
        if (!isToNobody(dest, tag)) {
            Flat flat = Flat.toSend(buffer);
            layer.ssend(flat.buffer, flat.offset, flat.count, dest(dest), tag, context);
        }
    }

    /** As {@link Device#isend(Object, int, int)}. */
    public final Request isend(Object buffer, int dest, int tag) {
        if (isToNobody(dest, tag)) {
            return nobody();
        }
        Flat flat = Flat.toSend(buffer);
        return layer.isend(flat.buffer, flat.offset, flat.count, dest(dest), tag, context);
    }

    /** As {@link Device#issend(Object, int, int)}. */
    public final Request issend(Object buffer, int dest, int tag) {
        if (isToNobody(dest, tag)) {
            return nobody();
        }
        Flat flat = Flat.toSend(buffer);
        return layer.issend(flat.buffer, flat.offset, flat.count, dest(dest), tag, context);
    }

    private Request nobody() {
        LayerPromise promise = layer.promise();
        promise.succeed(PROC_NULL, Device.ANY_TAG, 0, 1);
        return promise;
    }

    // --- receives ----------------------------------------------------------------------------------------------------

    /** As {@link Device#recv(Object, int, int)}; the result is a new Status. */
    public final Status recv(Object buffer, int source, int tag) {
        return recv(buffer, source, tag, new Status());
    }

    /** As {@link Device#recv(Object, int, int, Status)}. */
    public final Status recv(Object buffer, int source, int tag, Status status) {
        if (buffer instanceof Data) {
            Flat flat = Flat.toReceive((Data) buffer);
            try {
                recv(flat.buffer, flat.offset, flat.count, source, tag, status);
            } finally {
                flat.deliver(status.bytes());
                elementsOf(status, ((Data) buffer).buffer);
            }
            return status;
        }
        return recv(buffer, 0, Device.WHOLE, source, tag, status);
    }

    /** As {@link Device#recv(Object, long, long, int, int)}, into the caller's Status. */
    public final Status recv(Object buffer, long offset, long count, int source, int tag, Status status) {
        if (isFromNobody(source, tag)) {
            return ofNobody(status);
        }
        try {
            layer.recv(buffer, offset, count, source(source), tag, context, status);
        } finally {
            rename(status, UserBuffer.elementSize(buffer));
        }
        return status;
    }

    /** Has a status count in elements of the caller's buffer, whatever the message went through. */
    private static void elementsOf(Status status, Object buffer) {
        status.set(
                status.source(),
                status.tag(),
                status.contextId(),
                status.bytes(),
                UserBuffer.elementSize(buffer),
                status.error());
    }

    private Status rename(Status status, int elementBytes) {
        if (status != null && status.source() >= 0) {
            status.set(
                    ranks.here(status.source()), status.tag(), context, status.bytes(), elementBytes, status.error());
        }
        return status;
    }

    /** As {@link Device#irecv(Object, int, int)}. */
    public final Request irecv(Object buffer, int source, int tag) {
        if (isFromNobody(source, tag)) {
            return nobody();
        }
        Flat flat = Flat.toReceive(buffer);
        if (flat.isDirect()) {
            return layer.irecv(flat.buffer, flat.offset, flat.count, source(source), tag, context, ranks.table());
        }
        return unpacked(flat, UserBuffer.elementSize(((Data) buffer).buffer), source(source), tag);
    }

    /** A request that ends when the message has been unpacked. */
    private Request unpacked(Flat flat, int elementBytes, int source, int tag) {
        LayerPromise promise = layer.promise();
        LayerRequest request = layer.request(over -> unpack(over, flat, elementBytes, promise));
        promise.cancels(request);
        if (layer.irecv(request, flat.buffer, flat.offset, flat.count, source, tag, context)) {
            unpack(request, flat, elementBytes, promise);
        }
        return promise;
    }

    private void unpack(LayerRequest request, Flat flat, int elementBytes, LayerPromise promise) {
        Status status = new Status();
        try {
            request.waitFor(status);
            flat.deliver(status.bytes());
            promise.succeed(ranks.here(status.source()), status.tag(), status.bytes(), elementBytes);
        } catch (SluiceException e) {
            flat.deliver(Math.min(status.bytes(), flat.bytes()));
            rename(status, elementBytes);
            promise.fail(e.code(), e.peer(), e.getMessage(), e, status, elementBytes);
        }
    }

    // --- both --------------------------------------------------------------------------------------------------------

    /** Sends one message and receives another; neither waits for the other. */
    public final Status sendRecv(Object out, int dest, int sendTag, Object in, int source, int receiveTag) {
        checkReceive(in, source, receiveTag);
        Request sent = isend(out, dest, sendTag);
        Status status = new Status();
        try {
            recv(in, source, receiveTag, status);
        } finally {
            sent.waitFor();
        }
        return status;
    }

    /** As {@link #checkReceive}. */
    final void checkSend(Object buffer, int dest, int tag) {
        if (!isToNobody(dest, tag)) {
            dest(dest);
            if (tag < 0) {
                throw new IllegalArgumentException("tag " + tag + ": tags are 0 to " + Integer.MAX_VALUE);
            }
        }
        Flat.toSend(buffer);
    }

    /** The caller's mistakes, before anything is sent. */
    final void checkReceive(Object buffer, int source, int tag) {
        if (isFromNobody(source, tag)) {
            return;
        }
        source(source);
        if (tag < 0 && tag != Device.ANY_TAG) {
            throw new IllegalArgumentException(
                    "tag " + tag + ": tags are 0 to " + Integer.MAX_VALUE + ", or ANY_TAG for a receive");
        }
        Flat flat = Flat.toReceive(buffer);
        UserBuffer.bytesToReceive(flat.buffer, flat.offset, flat.count);
    }

    /** As {@link #sendRecv}: what is received takes the place of what was sent. */
    public final Status sendRecvReplace(Object buffer, int dest, int sendTag, int source, int receiveTag) {
        checkReceive(buffer, source, receiveTag);
        Flat flat = Flat.toSend(buffer);
        byte[] copy = flat.copy();
        Request sent = isend(copy, dest, sendTag);
        Status status = new Status();
        try {
            recv(buffer, source, receiveTag, status);
        } finally {
            sent.waitFor();
        }
        return status;
    }

    /** As {@link Device#probe(int, int)}. */
    public final Status probe(int source, int tag) {
        if (isFromNobody(source, tag)) {
            return ofNobody(new Status());
        }
        return rename(layer.probe(source(source), tag, context), 1);
    }

    /** As {@link Device#iprobe(int, int)}: null when there is none. */
    public final Status iprobe(int source, int tag) {
        if (isFromNobody(source, tag)) {
            return ofNobody(new Status());
        }
        return rename(layer.iprobe(source(source), tag, context), 1);
    }

    /**
     * A request that completes when a message is there, as {@link #probe}; its status says which. To cancel it is to
     * look no more.
     */
    public final Request arrival(int source, int tag) {
        return isFromNobody(source, tag) ? nobody() : layer.arrival(source(source), tag, context, ranks.table());
    }

    /** As {@link Device#mprobe(int, int)}. */
    public final Message mprobe(int source, int tag) {
        return layer.mprobe(somebody(source), tag, context, ranks.table());
    }

    /** As {@link Device#improbe(int, int)}: null when there is none. */
    public final Message improbe(int source, int tag) {
        return layer.improbe(somebody(source), tag, context, ranks.table());
    }

    /** There is no message that could be taken out of the queue. */
    private int somebody(int source) {
        if (source == PROC_NULL) {
            throw outOfRange(source, "ANY_SOURCE");
        }
        return source(source);
    }
}
