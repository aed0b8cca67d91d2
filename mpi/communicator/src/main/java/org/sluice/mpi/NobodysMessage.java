package org.sluice.mpi;

import org.sluice.device.Lease;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** What a matched probe of {@link MessageSpace#PROC_NULL} takes: MPI_MESSAGE_NO_PROC. <i>Thread</i>: any. */
final class NobodysMessage implements Message {
    private final MessageSpace space;
    private final Status status;

    NobodysMessage(MessageSpace space) {
        this.space = space;
        this.status = space.ofNobody(new Status());
    }

    @Override
    public Status status() {
        return status;
    }

    /** The buffer stays as it is. */
    @Override
    public Status recv(Object buffer) {
        return space.ofNobody(new Status());
    }

    @Override
    public Status recv(Object buffer, long offset, long count) {
        return recv(buffer);
    }

    @Override
    public Request irecv(Object buffer, long offset, long count) {
        return space.nobody();
    }

    @Override
    public Lease recvInPlace() {
        throw new IllegalStateException("a message of PROC_NULL has no bytes that could be read in place: use recv");
    }

    @Override
    public String toString() {
        return "Message[" + status + "]";
    }
}
