package org.sluice.mpi;

import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.layer.WrappedMessage;

/** A message that a matched probe took, for a {@link Data} as for a buffer. <i>Thread</i>: any. */
final class MatchedMessage implements WrappedMessage {
    private final MessageSpace space;
    private final Message message;

    MatchedMessage(MessageSpace space, Message message) {
        this.space = space;
        this.message = message;
    }

    @Override
    public Message inner() {
        return message;
    }

    @Override
    public Status status() {
        return message.status();
    }

    @Override
    public Status recv(Object buffer) {
        return buffer instanceof Data ? irecv((Data) buffer).waitFor() : message.recv(buffer);
    }

    @Override
    public Status recv(Object buffer, long offset, long count) {
        return message.recv(buffer, offset, count);
    }

    @Override
    public Request irecv(Object buffer, long offset, long count) {
        boolean isData = buffer instanceof Data && offset == 0 && count == Device.WHOLE;
        return isData ? irecv((Data) buffer) : message.irecv(buffer, offset, count);
    }

    private Request irecv(Data data) {
        Flat flat = Flat.toReceive(data);
        return flat.isDirect()
                ? message.irecv(flat.buffer, flat.offset, flat.count)
                : new UnpackedReceive(space, flat, UserBuffer.elementSize(data.buffer)).begin(message);
    }

    @Override
    public Lease recvInPlace() {
        return message.recvInPlace();
    }

    @Override
    public String toString() {
        return message.toString();
    }
}
