package org.sluice.bench.rank;

import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * Rank 0 receives, and times: a message that it waits for at once, a computation that takes about as long, and another
 * message during the same computation. Rank 1 sends each message when it is told that the receive is posted, so that
 * all of it is left to whoever makes progress.
 *
 * <p><i>Thread</i>: the rank's. <i>Owns</i>: the device and the buffers. <i>Proof</i>: {@code BenchProcessTest}.
 */
final class OverlapSteps implements Steps, OverlapTimer.Transfer {
    private final Device device;
    private final Payloads payloads;
    private final Content content = new Content();
    private final OverlapTimer timer = new OverlapTimer(this);
    private final Status status = new Status();
    private Step step;

    OverlapSteps(Device device, BufferKind kind) {
        this.device = device;
        payloads = new Payloads(kind, device::allocate);
    }

    @Override
    public long[] run(Step newStep) {
        step = newStep;
        payloads.prepare(step);
        if (device.rank() == 0) {
            return timer.time(step);
        }
        for (int message = 0; message < OverlapTimer.transfers(step); message++) {
            device.recv(null, 0, 0, 0, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT, status);
            content.fill(step, payloads.outgoing(), 0, message, 0, 1);
            device.isend(payloads.outgoingHandle(), 0, step.size(), 0, DeviceExchange.DATA_TAG, Device.DEFAULT_CONTEXT)
                    .waitFor(status);
        }
        return StepRunner.NOTHING;
    }

    @Override
    public Request begin(int message) {
        Request receive = device.irecv(
                payloads.incomingHandle(), 0, step.size(), 1, DeviceExchange.DATA_TAG, Device.DEFAULT_CONTEXT);
        device.send(null, 0, 0, 1, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT);
        return receive;
    }

    @Override
    public void look(int message, Status received) {
        DeviceExchange.checkLength(received, step.size());
        content.look(step, payloads.incoming(), 0, message, 0, 1);
    }

    @Override
    public void close() {
        payloads.close();
        device.close();
    }
}
