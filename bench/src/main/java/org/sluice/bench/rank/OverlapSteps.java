package org.sluice.bench.rank;

import java.util.Arrays;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.OverlapTimes;
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
final class OverlapSteps implements Steps {
    private static final int MESSAGES = 2;

    private final Device device;
    private final Payloads payloads;
    private final Content content = new Content();
    private final Computation computation = new Computation();
    private final Status status = new Status();

    OverlapSteps(Device device, BufferKind kind) {
        this.device = device;
        payloads = new Payloads(kind, device::allocate);
    }

    @Override
    public long[] run(Step step) {
        payloads.prepare(step);
        if (device.rank() == 0) {
            return receive(step);
        }
        for (int message = 0; message < MESSAGES * step.iterations(); message++) {
            device.recv(null, 0, 0, 0, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT, status);
            content.fill(step, payloads.outgoing(), 0, message, 0, 1);
            device.isend(payloads.outgoingHandle(), 0, step.size(), 0, DeviceExchange.DATA_TAG, Device.DEFAULT_CONTEXT)
                    .waitFor(status);
        }
        return StepRunner.NOTHING;
    }

    private long[] receive(Step step) {
        long[] samples = new long[step.samples()];
        long[] parts = new long[MESSAGES + 1];
        int message = 0;
        for (int iteration = 0; iteration < step.leadIn(); iteration++) {
            message = once(step, message, parts);
        }
        for (int batch = 0; batch < step.batches(); batch++) {
            Arrays.fill(parts, 0);
            long start = System.nanoTime();
            for (int iteration = 0; iteration < step.batch(); iteration++) {
                message = once(step, message, parts);
            }
            new OverlapTimes(System.nanoTime() - start, parts[0], parts[1], parts[2]).into(samples, batch);
        }
        return samples;
    }

    /**
     * Adds to the parts.
     *
     * @return the number of the next message
     */
    private int once(Step step, int message, long[] parts) {
        long comm = received(step, message, false);
        computation.take(comm);
        parts[0] += comm;
        parts[1] += computation.timed();
        parts[2] += received(step, message + 1, true);
        return message + MESSAGES;
    }

    /** @return nanoseconds from before the receive until the message is there */
    private long received(Step step, int message, boolean computing) {
        long start = System.nanoTime();
        Request receive = device.irecv(
                payloads.incomingHandle(), 0, step.size(), 1, DeviceExchange.DATA_TAG, Device.DEFAULT_CONTEXT);
        device.send(null, 0, 0, 1, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT);
        if (computing) {
            computation.run();
        }
        receive.waitFor(status);
        long nanos = System.nanoTime() - start;
        DeviceExchange.checkLength(status, step.size());
        content.look(step, payloads.incoming(), 0, message, 0, 1);
        return nanos;
    }

    @Override
    public void close() {
        payloads.close();
        device.close();
    }
}
