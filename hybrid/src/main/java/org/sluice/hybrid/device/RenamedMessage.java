package org.sluice.hybrid.device;

import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.hybrid.receive.LayerMessage;
import org.sluice.hybrid.receive.TakenMessage;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Waiting;

/** A message that a probe took, whose statuses have a layer's context and ranks. <i>Thread</i>: any. */
final class RenamedMessage implements LayerMessage {
    private final TakenMessage message;
    private final Waiting waiting;
    private final int context;
    private final int[] ranks;

    /** @param ranks as {@link RenamedCompletion} takes them */
    RenamedMessage(TakenMessage message, Waiting waiting, int context, int[] ranks) {
        this.message = message;
        this.waiting = waiting;
        this.context = context;
        this.ranks = ranks;
        RenamedCompletion.rename(message.status(), context, ranks, 1);
    }

    @Override
    public TakenMessage taken() {
        return message;
    }

    @Override
    public void rename(Status status, int elementSize) {
        RenamedCompletion.rename(status, context, ranks, elementSize);
    }

    @Override
    public Status status() {
        return message.status();
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
        RenamedCompletion completion = new RenamedCompletion(waiting, context, ranks);
        message.receive(buffer, offset, bytes, completion);
        return completion;
    }

    /** As {@link TakenMessage#receive}. */
    void receive(Object buffer, long offset, long bytes, Completion completion) {
        message.receive(buffer, offset, bytes, completion);
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
