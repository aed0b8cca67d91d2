package mpi;

import java.nio.Buffer;
import org.sluice.device.Device;

/** MPI_Message: one that a probe has taken out of the queue, so that no other receive gets it. */
public final class Message {
    /** Null before a probe, and once it was received. */
    private org.sluice.device.Message message;

    private Comm comm = MPI.COMM_WORLD;

    public Message() {}

    /** Whether it is MPI_MESSAGE_NULL. */
    public boolean isNull() {
        return message == null;
    }

    /** Whether it is MPI_MESSAGE_NO_PROC. */
    public boolean isNoProc() {
        return message != null && message.status().source() == org.sluice.mpi.MessageSpace.PROC_NULL;
    }

    /** MPI_Mprobe. */
    public Status mProbe(int source, int tag, Comm comm) throws MPIException {
        this.comm = comm;
        message = Comm.given(comm).matched(source, tag, true);
        return new Status(message.status());
    }

    /** MPI_Improbe: null if there is none. */
    public Status imProbe(int source, int tag, Comm comm) throws MPIException {
        this.comm = comm;
        message = Comm.given(comm).matched(source, tag, false);
        return message == null ? null : new Status(message.status());
    }

    private org.sluice.device.Message take() throws MPIException {
        MPI.check();
        if (message == null) {
            throw Errors.of(MPI.ERR_REQUEST, "there is no message: mProbe or imProbe takes one, to be received once");
        }
        org.sluice.device.Message taken = message;
        message = null;
        return taken;
    }

    /** MPI_Mrecv. */
    public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
        Buffers.checkCount(count);
        Object items = Buffers.items(buf, count, type);
        try {
            return new Status(take().recv(items));
        } catch (RuntimeException e) {
            throw comm.failed(e);
        }
    }

    /** MPI_Imrecv. */
    public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
        return imRecv((Object) buf, count, type);
    }

    /** MPI_Imrecv, into an array, too. */
    public Request imRecv(Object buf, int count, Datatype type) throws MPIException {
        Buffers.checkCount(count);
        Object items = Buffers.items(buf, count, type);
        try {
            return new Request(take().irecv(items, 0, Device.WHOLE)).of(comm);
        } catch (RuntimeException e) {
            throw comm.failed(e);
        }
    }
}
