package org.sluice.mpi;

import java.lang.reflect.Array;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.schedule.Ranks;

/**
 * Other forms of what {@link MessageSpace} has: ready and buffered sends, requests that are started again and again,
 * receives that allocate, time limits, and waits for several requests.
 *
 * <p>Ownership, matching, threads and errors are as {@link Device} has them.
 */
public abstract class MessageForms extends MessageSpace {
    /** What a buffered send takes of the attached buffer beside its message, in bytes. */
    public static final int BUFFERED_OVERHEAD = 64;

    MessageForms(Layer layer, Ranks ranks, int context) {
        super(layer, ranks, context);
    }

    // --- ready and buffered ------------------------------------------------------------------------------------------

    /** A send whose receive is posted, as the program says: it goes as any other. */
    public final void rsend(Object buffer, int dest, int tag) {
        send(buffer, dest, tag);
    }

    /** As {@link #rsend}, without waiting. */
    public final Request irsend(Object buffer, int dest, int tag) {
        return isend(buffer, dest, tag);
    }

    /**
     * Gives a buffer to the buffered sends of this device, of whichever communicator, until {@link #detachBuffer}. Each
     * takes its bytes and {@link #BUFFERED_OVERHEAD}.
     *
     * @param buffer a byte[], a ByteBuffer or a MessageBuffer
     */
    public static void attachBuffer(Device device, Object buffer) {
        BufferedSends.of(Layer.of(device)).attach(buffer);
    }

    /** Waits until all buffered sends have left, and gives the buffer back. */
    public static Object detachBuffer(Device device) {
        return BufferedSends.of(Layer.of(device)).detach();
    }

    /** Waits until all buffered sends have left that were begun before; the buffer stays attached. */
    public static void flushBuffer(Device device) {
        BufferedSends.of(Layer.of(device)).flush();
    }

    /**
     * Copies the message into the attached buffer and returns: whether its receiver comes or not.
     *
     * @throws SluiceException NO_MEMORY where that has no room for it
     */
    public final void bsend(Object buffer, int dest, int tag) {
        Flat flat = Flat.toSend(buffer);
        if (dest == PROC_NULL) {
            // As any other to nobody.
            send(buffer, dest, tag);
            return;
        }
        try {
            BufferedSends.of(layer).send(flat, (copy, offset, bytes) -> isend(Data.of(copy, offset, bytes), dest, tag));
        } catch (SluiceException e) {
            callErrorHandler(e);
        }
    }

    /** As {@link #bsend}; the request is over when this returns. */
    public final Request ibsend(Object buffer, int dest, int tag) {
        bsend(buffer, dest, tag);
        return isend(new byte[0], PROC_NULL, tag);
    }

    // --- persistent --------------------------------------------------------------------------------------------------

    /** A send that is started again and again. */
    public final PersistentRequest sendInit(Object buffer, int dest, int tag) {
        checkSend(buffer, dest, tag);
        return new PersistentRequest("send to rank " + dest + ", tag " + tag, () -> isend(buffer, dest, tag));
    }

    /** As {@link #sendInit}, synchronous. */
    public final PersistentRequest ssendInit(Object buffer, int dest, int tag) {
        checkSend(buffer, dest, tag);
        return new PersistentRequest("ssend to rank " + dest + ", tag " + tag, () -> issend(buffer, dest, tag));
    }

    /** As {@link #sendInit}, ready. */
    public final PersistentRequest rsendInit(Object buffer, int dest, int tag) {
        return sendInit(buffer, dest, tag);
    }

    /** As {@link #sendInit}, buffered. */
    public final PersistentRequest bsendInit(Object buffer, int dest, int tag) {
        checkSend(buffer, dest, tag);
        return new PersistentRequest("bsend to rank " + dest + ", tag " + tag, () -> ibsend(buffer, dest, tag));
    }

    /** A receive that is started again and again. */
    public final PersistentRequest recvInit(Object buffer, int source, int tag) {
        checkReceive(buffer, source, tag);
        return new PersistentRequest("receive from rank " + source + ", tag " + tag, () -> irecv(buffer, source, tag));
    }

    // --- receives that allocate --------------------------------------------------------------------------------------

    /**
     * Receives a message of any length into a new array.
     *
     * @param arrayType of the elements that were sent: {@code double[].class}
     * @param status gets the message's, as {@link #recv(Object, int, int, Status)} has it; may be null
     * @throws SluiceException ELEMENT_MISMATCH where the message is no whole number of elements; it is consumed
     */
    public final <T> T receive(Class<T> arrayType, int source, int tag, Status status) {
        ElementType type = arrayType == null || !arrayType.isArray() ? null : ElementType.ofPrimitive(arrayType);
        if (type == null) {
            throw new IllegalArgumentException("what is to be received is an array of "
                    + (arrayType == null ? "null" : arrayType.getTypeName())
                    + ": give the class of an array of primitives, double[].class for instance");
        }
        Message message = mprobe(source, tag);
        try {
            return message == null ? null : received(message, arrayType, type, status);
        } catch (SluiceException e) {
            callErrorHandler(e);
            return null;
        }
    }

    private static <T> T received(Message message, Class<T> arrayType, ElementType type, Status status) {
        long length = (message.status().bytes() + type.bytes() - 1) / type.bytes();
        if (length > Integer.MAX_VALUE) {
            message.recv(new byte[0]);
        }
        T array = arrayType.cast(Array.newInstance(arrayType.getComponentType(), Math.toIntExact(length)));
        Status received = message.recv(array);
        if (status != null) {
            status.set(
                    received.source(),
                    received.tag(),
                    received.contextId(),
                    received.bytes(),
                    type.bytes(),
                    received.error());
        }
        return array;
    }

    // --- time limits -------------------------------------------------------------------------------------------------

    /**
     * As {@link #recv(Object, int, int)}, but waits no longer than so.
     *
     * @return null when the time was up: nothing was received, and the buffer is the caller's
     */
    public final Status recv(Object buffer, int source, int tag, long timeout, TimeUnit unit) {
        Request request = irecv(buffer, source, tag);
        try {
            Status status = request.waitFor(timeout, unit);
            // One that has its message by now is waited for.
            return status == null && request.cancel() ? null : request.waitFor();
        } catch (SluiceException e) {
            callErrorHandler(e);
            return failed(e);
        }
    }

    /**
     * As {@link #send(Object, int, int)}, but waits no longer than so for the receiver to take the message; once it has
     * begun to, until it has. Where the time is up the receiver is asked to forget it, which takes an answer.
     *
     * @return false when the time was up: the message was taken back, and the buffer is the caller's
     */
    public final boolean send(Object buffer, int dest, int tag, long timeout, TimeUnit unit) {
        return isSent(isend(buffer, dest, tag), timeout, unit);
    }

    /** As {@link #send(Object, int, int, long, TimeUnit)}, until a receive has matched it. */
    public final boolean ssend(Object buffer, int dest, int tag, long timeout, TimeUnit unit) {
        return isSent(issend(buffer, dest, tag), timeout, unit);
    }

    private boolean isSent(Request request, long timeout, TimeUnit unit) {
        boolean isWithdrawn = false;
        try {
            if (request.waitFor(timeout, unit) == null) {
                isWithdrawn = request.cancel();
                request.waitFor();
            }
            return true;
        } catch (SluiceException e) {
            if (!isWithdrawn && e.code() != ErrorCode.CANCELLED) {
                callErrorHandler(e);
            }
            return false;
        }
    }

    /**
     * As {@link #probe(int, int)}, but waits no longer than so.
     *
     * @return null when the time was up
     */
    public final Status probe(int source, int tag, long timeout, TimeUnit unit) {
        try {
            return probeFor(unit.toNanos(timeout), source, tag);
        } catch (SluiceException e) {
            callErrorHandler(e);
            return failed(e);
        }
    }

    // --- several requests --------------------------------------------------------------------------------------------

    /**
     * Waits for all; throws the first failure after all have completed. Requests are this device's, of any of its
     * communicators or its own, collectives too; what is null, or persistent and inactive, is not waited for.
     */
    public final void waitAll(Request... requests) {
        SeveralRequests.waitAll(layer, requests);
    }

    /**
     * As {@link #waitAll(Request...)}, but waits no longer than so.
     *
     * @return false when the time was up
     */
    public final boolean waitAll(long timeout, TimeUnit unit, Request... requests) {
        return SeveralRequests.waitAll(layer, timeout, unit, requests);
    }

    /** Waits for any: the index of one that has completed, well or badly; -1 where there is none to wait for. */
    public final int waitAny(Request... requests) {
        return SeveralRequests.waitAny(layer, requests);
    }

    /** As {@link #waitAny(Request...)}, but waits no longer than so: -1 also when the time was up. */
    public final int waitAny(long timeout, TimeUnit unit, Request... requests) {
        return SeveralRequests.waitAny(layer, timeout, unit, requests);
    }

    /** Waits until at least one has completed; the indices of all that have. */
    public final int[] waitSome(Request... requests) {
        return SeveralRequests.waitSome(layer, requests);
    }

    /** The index of one that has completed, or -1; doesn't wait. */
    public final int testAny(Request... requests) {
        return SeveralRequests.testAny(layer, requests);
    }

    /** The indices of all that have completed; doesn't wait. */
    public final int[] testSome(Request... requests) {
        return SeveralRequests.testSome(layer, requests);
    }

    /** Whether all have completed; throws the first failure if they have. Doesn't wait. */
    public final boolean testAll(Request... requests) {
        return SeveralRequests.testAll(layer, requests);
    }
}
