package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.device.Status;

/** Sluice through send and recv. */
class DeviceExchange implements Exchange {
    static final int DATA_TAG = 7;
    static final int ANSWER_TAG = 8;

    private final Device device;
    private final Payloads payloads;
    private final Status status = new Status();
    private Object outgoing;
    private Object incoming;
    private int size;
    /** That receives name. */
    private int tag;

    DeviceExchange(Device device, BufferKind kind) {
        this.device = device;
        payloads = new Payloads(kind, device::allocate);
    }

    @Override
    public void prepare(Step step) {
        payloads.prepare(step);
        outgoing = payloads.outgoingHandle();
        incoming = payloads.incomingHandle();
        size = step.size();
        tag = step.benchmark().anyTag() ? Device.ANY_TAG : DATA_TAG;
    }

    @Override
    public ByteBuffer outgoing() {
        return payloads.outgoing();
    }

    @Override
    public ByteBuffer incoming() {
        return payloads.incoming();
    }

    @Override
    public void post(int rank, int slot) {
        send(outgoing, (long) slot * size, size, rank, DATA_TAG);
    }

    @Override
    public void expect(int rank, int slot) {
        receive(incoming, (long) slot * size, size, rank, tag, status);
        checkLength(status, size);
    }

    void send(Object buffer, long offset, int count, int rank, int toTag) {
        device.send(buffer, offset, count, rank, toTag, Device.DEFAULT_CONTEXT);
    }

    void receive(Object buffer, long offset, int count, int rank, int ofTag, Status into) {
        device.recv(buffer, offset, count, rank, ofTag, Device.DEFAULT_CONTEXT, into);
    }

    static void checkLength(Status status, int size) {
        if (status.bytes() != size) {
            throw new IllegalStateException(
                    "received " + status.bytes() + " B where " + size + " B were sent: " + status);
        }
    }

    @Override
    public void finish() {
        // All is done when post and expect return.
    }

    @Override
    public void acknowledge(int rank) {
        send(null, 0, 0, rank, ANSWER_TAG);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        receive(null, 0, 0, rank, ANSWER_TAG, status);
    }

    @Override
    public void close() {
        payloads.close();
        device.close();
    }
}
