package org.sluice.bench.rank;

import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * As {@link OverlapSteps}, of a sum that both ranks get: rank 0 times and computes, rank 1 begins when it is told that
 * rank 0 has, and waits.
 *
 * <p><i>Thread</i>: the rank's. <i>Owns</i>: the device and the buffers. <i>Proof</i>: {@code BenchProcessTest}.
 */
final class AllReduceOverlapSteps extends CollectiveSteps implements OverlapTimer.Transfer {
    private final Device device;
    private final OverlapTimer timer = new OverlapTimer(this);
    private final Status status = new Status();

    AllReduceOverlapSteps(Device device, BufferKind kind) {
        super(device, kind);
        this.device = device;
    }

    @Override
    public long[] run(Step newStep) {
        prepare(newStep);
        if (rank == 0) {
            return timer.time(newStep);
        }
        for (int number = 0; number < OverlapTimer.transfers(newStep); number++) {
            device.recv(null, 0, 0, 0, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT, status);
            fill(number);
            begin(slot(number), 0).waitFor(status);
            check(number);
        }
        return StepRunner.NOTHING;
    }

    @Override
    public Request begin(int number) {
        fill(number);
        Request sum = begin(slot(number), 0);
        device.send(null, 0, 0, 1, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT);
        return sum;
    }

    @Override
    public void look(int number, Status over) {
        check(number);
    }
}
