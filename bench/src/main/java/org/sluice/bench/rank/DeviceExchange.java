package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.device.Status;

/** Sluice through send and recv. */
final class DeviceExchange implements Exchange {
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
        device.send(outgoing, (long) slot * size, size, rank, DATA_TAG, Device.DEFAULT_CONTEXT);
    }

    @Override
    public void expect(int rank, int slot) {
        device.recv(incoming, (long) slot * size, size, rank, tag, Device.DEFAULT_CONTEXT, status);
        checkLength(status, size);
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
        device.send(null, 0, 0, rank, ANSWER_TAG, Device.DEFAULT_CONTEXT);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        device.recv(null, 0, 0, rank, ANSWER_TAG, Device.DEFAULT_CONTEXT, status);
    }

    @Override
    public void close() {
        payloads.close();
        device.close();
    }
}
