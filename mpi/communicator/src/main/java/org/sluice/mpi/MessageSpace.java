package org.sluice.mpi;

import java.util.concurrent.TimeUnit;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.LayerPromise;
import org.sluice.device.layer.LayerTaking;
import org.sluice.mpi.schedule.Ranks;

/**
 * Messages between the ranks of a communicator: what {@link Device} has, with the communicator's ranks, and without a
 * match in any other communicator or in the device's own contexts. Wherever a buffer is taken, a {@link Data} may be.
 *
 * <p>Ownership, matching, threads and errors are as {@link Device} has them. With {@link #PROC_NULL} for a rank a call
 * returns at once, and nothing was sent or received.
 */
public abstract class MessageSpace extends AnyCommunicator {
    /** As a destination or source: nobody. */
    public static final int PROC_NULL = -4;

    private static final int MOMENT_MS = 300;

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
    private boolean isToNobody(int dest, int tag) {
        refuseFreed();
        if (dest == PROC_NULL && tag < 0) {
            throw new IllegalArgumentException("tag " + tag + ": tags are 0 to " + Integer.MAX_VALUE);
        }
        return dest == PROC_NULL;
    }

    private boolean isFromNobody(int source, int tag) {
        refuseFreed();
        return source == PROC_NULL && (tag == Device.ANY_TAG || isToNobody(source, tag));
    }

    /** @throws IllegalStateException where the communicator was freed */
    abstract void refuseFreed();

    final Status ofNobody(Status status) {
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
            int to = dest(dest);
            try {
                layer.send(buffer, offset, count, to, tag, context);
            } catch (SluiceException e) {
                callErrorHandler(e);
            }
        }
    }

    /** As {@link Device#ssend(Object, int, int)}. */
    public final void ssend(Object buffer, int dest, int tag) {
        if (!isToNobody(dest, tag)) {
            Flat flat = Flat.toSend(buffer);
            int to = dest(dest);
            try {
                layer.ssend(flat.buffer, flat.offset, flat.count, to, tag, context);
            } catch (SluiceException e) {
                callErrorHandler(e);
            }
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

    final Request nobody() {
        LayerPromise promise = layer.promise(context, () -> false);
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
        if (status == null) {
            throw new IllegalArgumentException("the status is null: give one that the call may fill in");
        }
        if (isFromNobody(source, tag)) {
            return ofNobody(status);
        }
        int from = source(source);
        try {
            layer.recv(buffer, offset, count, from, tag, context, status);
        } catch (SluiceException e) {
            if (e.status() == null) {
                // The device has not come to it.
                status.set(Device.ANY_SOURCE, Device.ANY_TAG, context, 0, 1, e.code());
            } else {
                ofThisSpace(status);
            }
            callErrorHandler(e);
            return status;
        }
        return ofThisSpace(status);
    }

    /** One that the device has just filled in. So short that it is a part of every receive's compiled code. */
    private Status ofThisSpace(Status status) {
        int source = status.source();
        if (source >= 0) {
            status.rename(ranks.here(source), context);
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

    final Status rename(Status status, int elementBytes) {
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
        int elementBytes = UserBuffer.elementSize(((Data) buffer).buffer);
        return new UnpackedReceive(this, flat, elementBytes).begin(source(source), tag);
    }

    // --- both --------------------------------------------------------------------------------------------------------

    /** Sends one message and receives another; neither waits for the other. */
    public final Status sendRecv(Object out, int dest, int sendTag, Object in, int source, int receiveTag) {
        checkReceive(in, source, receiveTag);
        return receiveBeside(isend(out, dest, sendTag), in, source, receiveTag);
    }

    private Status receiveBeside(Request sent, Object in, int source, int receiveTag) {
        Status status = new Status();
        try {
            recv(in, source, receiveTag, status);
        } catch (RuntimeException | Error e) {
            giveUp(sent);
            throw e;
        }
        if (status.error() == ErrorCode.NONE) {
            await(sent);
        } else {
            giveUp(sent);
        }
        return status;
    }

    /**
     * Ends a send beside which something else has failed: others may have failed as well, and receive nothing. They
     * have a moment to take it, and then it is withdrawn. Returns when nobody reads its buffer any more.
     */
    public final void giveUp(Request sent) {
        Status status = new Status();
        try {
            if (sent.waitFor(MOMENT_MS, TimeUnit.MILLISECONDS) == null) {
                sent.cancel();
                sent.waitFor(status);
            }
        } catch (SluiceException e) {
            // What failed first is what the caller is told.
            return;
        }
    }

    /** As {@link #checkReceive}. */
    final void checkSend(Object buffer, int dest, int tag) {
        if (!isToNobody(dest, tag)) {
            dest(dest);
            if (tag < 0) {
                throw new IllegalArgumentException("tag " + tag + ": tags are 0 to " + Integer.MAX_VALUE);
            }
            Flat flat = Flat.toSend(buffer);
            UserBuffer.bytesToSend(flat.buffer, flat.offset, flat.count);
        }
    }

    private void await(Request sent) {
        try {
            sent.waitFor();
        } catch (SluiceException e) {
            callErrorHandler(e);
        }
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
        Object copy = flat.copy();
        return receiveBeside(isend(copy, dest, sendTag), buffer, source, receiveTag);
    }

    /** As {@link #sendRecv}, without waiting: the request is over once both are, and has the receive's status. */
    public final Request isendRecv(Object out, int dest, int sendTag, Object in, int source, int receiveTag) {
        checkReceive(in, source, receiveTag);
        checkSend(out, dest, sendTag);
        return begin(Flat.toSend(out), dest, sendTag, in, Flat.toReceive(in), source, receiveTag);
    }

    /** As {@link #sendRecvReplace}, without waiting. */
    public final Request isendRecvReplace(Object buffer, int dest, int sendTag, int source, int receiveTag) {
        checkReceive(buffer, source, receiveTag);
        checkSend(buffer, dest, sendTag);
        Flat copy = Flat.toSend(Flat.toSend(buffer).copy());
        return begin(copy, dest, sendTag, buffer, Flat.toReceive(buffer), source, receiveTag);
    }

    private Request begin(Flat out, int dest, int sendTag, Object in, Flat flatIn, int source, int receiveTag) {
        int elementBytes = UserBuffer.elementSize(in instanceof Data ? ((Data) in).buffer : in);
        return new SendAndReceive(this, flatIn, elementBytes)
                .begin(
                        out,
                        dest == PROC_NULL ? dest : dest(dest),
                        sendTag,
                        source == PROC_NULL ? source : source(source),
                        receiveTag);
    }

    /** As {@link Device#probe(int, int)}. */
    public final Status probe(int source, int tag) {
        if (isFromNobody(source, tag)) {
            return ofNobody(new Status());
        }
        int from = source(source);
        try {
            return rename(layer.probe(from, tag, context), 1);
        } catch (SluiceException e) {
            callErrorHandler(e);
            return failed(e);
        }
    }

    /** Null when the time was up. */
    final Status probeFor(long nanos, int source, int tag) {
        if (isFromNobody(source, tag)) {
            return ofNobody(new Status());
        }
        return rename(layer.probe(source(source), tag, context, nanos), 1);
    }

    /** As {@link Device#iprobe(int, int)}: null when there is none. */
    public final Status iprobe(int source, int tag) {
        if (isFromNobody(source, tag)) {
            return ofNobody(new Status());
        }
        int from = source(source);
        try {
            return rename(layer.iprobe(from, tag, context), 1);
        } catch (SluiceException e) {
            callErrorHandler(e);
            return failed(e);
        }
    }

    /** For a handler that has returned. */
    final Status failed(SluiceException error) {
        Status status = new Status();
        status.set(Device.ANY_SOURCE, Device.ANY_TAG, context, 0, 1, error.code());
        return status;
    }

    /**
     * A request that completes when a message is there, as {@link #probe}; its status says which. To cancel it is to
     * look no more.
     */
    public final Request arrival(int source, int tag) {
        return isFromNobody(source, tag) ? nobody() : layer.arrival(source(source), tag, context, ranks.table());
    }

    /** As {@link #mprobe}, without waiting; null of PROC_NULL. */
    final LayerTaking taking(int source, int tag) {
        return isFromNobody(source, tag) ? null : layer.take(source(source), tag, context, ranks.table());
    }

    /** As {@link Device#mprobe(int, int)}; the message takes a {@link Data}, too. */
    public final Message mprobe(int source, int tag) {
        if (isFromNobody(source, tag)) {
            return new NobodysMessage(this);
        }
        int from = source(source);
        try {
            return new MatchedMessage(this, layer.mprobe(from, tag, context, ranks.table()));
        } catch (SluiceException e) {
            callErrorHandler(e);
            return null;
        }
    }

    /** As {@link Device#improbe(int, int)}: null when there is none. */
    public final Message improbe(int source, int tag) {
        if (isFromNobody(source, tag)) {
            return new NobodysMessage(this);
        }
        int from = source(source);
        try {
            Message message = layer.improbe(from, tag, context, ranks.table());
            return message == null ? null : new MatchedMessage(this, message);
        } catch (SluiceException e) {
            callErrorHandler(e);
            return null;
        }
    }
}
