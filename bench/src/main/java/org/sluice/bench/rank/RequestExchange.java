package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** Sluice through isend, irecv and wait. */
final class RequestExchange implements Exchange {
    private static final int SLACK = 4;

    private final Device device;
    private final Payloads payloads;
    private final Status status = new Status();
    private Request[] requests = new Request[0];
    private int pending;
    private Object outgoing;
    private Object incoming;
    private int size;
    /** That receives name. */
    private int tag;

    RequestExchange(Device device, BufferKind kind) {
        this.device = device;
        payloads = new Payloads(kind, device::allocate);
    }

    @Override
    public void prepare(Step step) {
        payloads.prepare(step);
        outgoing = payloads.outgoingHandle();
        incoming = payloads.incomingHandle();
        size = step.size();
        tag = step.benchmark().anyTag() ? Device.ANY_TAG : DeviceExchange.DATA_TAG;
        requests = new Request[2 * step.window() + SLACK];
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
        requests[pending++] =
                device.isend(outgoing, (long) slot * size, size, rank, DeviceExchange.DATA_TAG, Device.DEFAULT_CONTEXT);
    }

    @Override
    public void expect(int rank, int slot) {
        requests[pending++] = device.irecv(incoming, (long) slot * size, size, rank, tag, Device.DEFAULT_CONTEXT);
    }

    @Override
    public void finish() {
        for (int i = 0; i < pending; i++) {
            requests[i].waitFor(status);
            DeviceExchange.checkLength(status, size);
            requests[i] = null;
        }
        pending = 0;
    }

    @Override
    public void acknowledge(int rank) {
        device.send(null, 0, 0, rank, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        device.recv(null, 0, 0, rank, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT, status);
    }

    @Override
    public void close() {
        payloads.close();
        device.close();
    }
}
