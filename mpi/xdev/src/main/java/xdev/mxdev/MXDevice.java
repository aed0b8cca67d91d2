package xdev.mxdev;

import java.nio.ByteBuffer;
import mpjbuf.Buffer;
import mpjdev.Request;
import mpjdev.Status;
import org.sluice.device.SluiceException;
import xdev.Device;
import xdev.ProcessID;
import xdev.XDevException;

/**
 * Sluice as a device of MPJ Express 0.44: a static section goes straight out of the direct buffer that MPJ Express has
 * made of the program's array, and straight into the receiver's.
 *
 * <p><i>Thread</i>: any, once {@link #init} has returned. <i>Lends</i>: a buffer is the device's from the call until
 * the request is over. <i>Fails</i>: with {@link XDevException}, which has Sluice's own as its cause. <i>Proof</i>:
 * {@code MpjExpressProcessTest}.
 */
public final class MXDevice implements Device {
    /**
     * By it receives of a datatype are known, whose buffers MPJ Express makes with so many bytes in front; nothing is
     * written there.
     */
    private static final int RECV_OVERHEAD = 8;

    private volatile Wire wire;
    /** Whether the program calls {@code mpi.MPI}: buffers of one that calls {@code mpjdev} itself may get anything. */
    private boolean hasDatatypes;

    /** As MPJ Express makes it; {@link #init} opens it. */
    public MXDevice() {}

    /**
     * Opens this rank's device, as {@link org.sluice.device.Device#open()} finds it.
     *
     * @param args this rank, a configuration (which isn't read), this device's name
     * @return all ranks, by rank
     */
    @Override
    public ProcessID[] init(String[] args) throws XDevException {
        if (wire != null) {
            throw new XDevException("MPI.Init was called before in this JVM, or by this class loader: once a rank;"
                    + " ranks that are threads of one JVM need class loaders of their own (--own-loaders)");
        }
        try {
            org.sluice.device.Device opened = Start.take();
            org.sluice.device.Device device = opened == null ? org.sluice.device.Device.open() : opened;
            if (!args[0].equals(Integer.toString(device.rank()))) {
                device.close();
                throw new XDevException("the arguments say that this is rank " + args[0]
                        + ", and Sluice's launcher that it is rank " + device.rank()
                        + ": start the program with ./sluice run --under-mpj-express");
            }
            hasDatatypes = StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals("mpi.MPI")));
            wire = new Wire(device);
            return wire.ids();
        } catch (SluiceException | IllegalStateException | IllegalArgumentException e) {
            throw Wire.failure(e);
        }
    }

    /** No bytes: what a message needs beside a buffer's is the device's own. */
    @Override
    public int getSendOverhead() {
        return 0;
    }

    /** In bytes. */
    @Override
    public int getRecvOverhead() {
        return RECV_OVERHEAD;
    }

    /** This rank's. */
    @Override
    public ProcessID id() {
        return wire().id();
    }

    /** Returns when what was sent is in its receivers' memory. */
    @Override
    public void finish() throws XDevException {
        Wire closing = wire();
        wire = null;
        try {
            closing.layer.device().close();
        } catch (SluiceException e) {
            throw Wire.failure(e);
        }
    }

    private Wire wire() {
        Wire open = wire;
        if (open == null) {
            throw new XDevException("the device is used before MPI.Init or after MPI.Finalize");
        }
        return open;
    }

    @Override
    public void send(Buffer buffer, ProcessID dest, int tag, int context) throws XDevException {
        Wire to = wire();
        try {
            Object data = Contents.toSend(buffer);
            to.layer.send(
                    data,
                    Contents.offset(buffer, data),
                    Contents.bytes(buffer, data),
                    to.dest(dest),
                    Wire.tagToSend(tag),
                    Wire.space(context, tag));
        } catch (SluiceException | IllegalArgumentException e) {
            throw Wire.failure(e);
        }
    }

    @Override
    public void ssend(Buffer buffer, ProcessID dest, int tag, int context) throws XDevException {
        Wire to = wire();
        try {
            Object data = Contents.toSend(buffer);
            to.layer.ssend(
                    data,
                    Contents.offset(buffer, data),
                    Contents.bytes(buffer, data),
                    to.dest(dest),
                    Wire.tagToSend(tag),
                    Wire.space(context, tag));
        } catch (SluiceException | IllegalArgumentException e) {
            throw Wire.failure(e);
        }
    }

    @Override
    public Request isend(Buffer buffer, ProcessID dest, int tag, int context) throws XDevException {
        Wire to = wire();
        try {
            Object data = Contents.toSend(buffer);
            return new SendRequest(
                            to,
                            to.layer.isend(
                                    data,
                                    Contents.offset(buffer, data),
                                    Contents.bytes(buffer, data),
                                    to.dest(dest),
                                    Wire.tagToSend(tag),
                                    Wire.space(context, tag)),
                            tag)
                    .begun();
        } catch (SluiceException | IllegalArgumentException e) {
            throw Wire.failure(e);
        }
    }

    @Override
    public Request issend(Buffer buffer, ProcessID dest, int tag, int context) throws XDevException {
        Wire to = wire();
        try {
            Object data = Contents.toSend(buffer);
            return new SendRequest(
                            to,
                            to.layer.issend(
                                    data,
                                    Contents.offset(buffer, data),
                                    Contents.bytes(buffer, data),
                                    to.dest(dest),
                                    Wire.tagToSend(tag),
                                    Wire.space(context, tag)),
                            tag)
                    .begun();
        } catch (SluiceException | IllegalArgumentException e) {
            throw Wire.failure(e);
        }
    }

    @Override
    public Status recv(Buffer buffer, ProcessID source, int tag, int context) throws XDevException {
        Wire from = wire();
        if (!isDirect(buffer, from)) {
            return irecv(buffer, source, tag, context, null).iwait();
        }
        try {
            ByteBuffer part = Contents.staticPart(buffer);
            org.sluice.device.Status received = from.statusOfThread();
            from.layer.recv(
                    part,
                    buffer.offset(),
                    part.capacity() - buffer.offset(),
                    from.source(source),
                    Wire.tagToReceive(tag),
                    Wire.space(context, tag),
                    received);
            Contents.received(buffer, (int) received.bytes());
            return from.told(Wire.status(tag), received, tag, buffer);
        } catch (SluiceException e) {
            throw Contents.tooLong(buffer, e);
        } catch (IllegalArgumentException e) {
            throw Wire.failure(e);
        }
    }

    /** @param status gets the message's, and is what the request returns; null for a new one */
    @Override
    public Request irecv(Buffer buffer, ProcessID source, int tag, int context, Status status) throws XDevException {
        Wire from = wire();
        Status told = status == null ? Wire.status(tag) : status;
        int rank = from.source(source);
        int space = Wire.space(context, tag);
        try {
            if (!isDirect(buffer, from)) {
                return new TakenReceive(from, buffer, told, tag)
                        .begin(rank, space)
                        .begun();
            }
            ByteBuffer part = Contents.staticPart(buffer);
            return new DirectReceive(
                            from,
                            buffer,
                            from.layer.irecv(
                                    part,
                                    buffer.offset(),
                                    part.capacity() - buffer.offset(),
                                    rank,
                                    Wire.tagToReceive(tag),
                                    space,
                                    null),
                            told,
                            tag)
                    .begun();
        } catch (SluiceException | IllegalArgumentException e) {
            throw Wire.failure(e);
        }
    }

    /**
     * Whether what comes can be received where it is to lie: its buffer was made for items of a primitive type, and no
     * receive that was begun before waits to see what it gets.
     */
    private boolean isDirect(Buffer buffer, Wire from) {
        return hasDatatypes
                && buffer.offset() == RECV_OVERHEAD
                && buffer.getCapacity() > RECV_OVERHEAD + Contents.HEADER_BYTES
                && from.takes.get() == 0;
    }

    /** Waits for a message. Its type isn't known before it is received: the status has its bytes. */
    @Override
    public Status probe(ProcessID source, int tag, int context) throws XDevException {
        Wire from = wire();
        try {
            return from.probed(
                    from.layer.probe(from.source(source), Wire.tagToReceive(tag), Wire.space(context, tag)), tag);
        } catch (SluiceException | IllegalArgumentException e) {
            throw Wire.failure(e);
        }
    }

    /** As {@link #probe}, without waiting: null if there is none. */
    @Override
    public Status iprobe(ProcessID source, int tag, int context) throws XDevException {
        Wire from = wire();
        try {
            return from.probed(
                    from.layer.iprobe(from.source(source), Wire.tagToReceive(tag), Wire.space(context, tag)), tag);
        } catch (SluiceException | IllegalArgumentException e) {
            throw Wire.failure(e);
        }
    }

    /** Of MPJ Express's device hybdev alone: null. */
    @Override
    public Status iprobe(ProcessID source, ProcessID dest, int tag, int context) throws XDevException {
        return null;
    }

    /** Of MPJ Express's device hybdev alone: null. */
    @Override
    public Status iprobeAndFetch(ProcessID source, ProcessID dest, int tag, int context, Buffer buffer)
            throws XDevException {
        return null;
    }

    /** Waits until a request has completed that nobody has waited for or peeked. */
    @Override
    public Request peek() throws XDevException {
        Wire of = wire();
        try {
            return of.open.peek(of.layer);
        } catch (SluiceException e) {
            throw Wire.failure(e);
        }
    }
}
