package org.sluice.bench.rank;

import org.sluice.bench.plan.Step;
import org.sluice.device.Device;

/**
 * A rank that takes no part, except that all others are connected with it: it gets a message from each and answers,
 * before anything is timed, and is silent until they leave.
 *
 * <p><i>Thread</i>: the rank's. <i>Lends</i>: the device from the caller, but for {@link #stay}, which closes it.
 */
final class IdlePeer {
    private static final int HELLO_TAG = 9;
    private static final int END_TAG = 10;

    private final Device device;
    private final int rank;

    /** @param rank the one that is idle, the job's last */
    IdlePeer(Device device, int rank) {
        this.device = device;
        this.rank = rank;
    }

    /** What the idle rank does: returns when rank 0 leaves. It sleeps meanwhile, as whoever waits for long. */
    void stay() {
        for (int other = 0; other < rank; other++) {
            device.recv(null, other, HELLO_TAG);
            device.send(null, other, HELLO_TAG);
        }
        device.recv(null, 0, END_TAG);
        device.close();
    }

    /** What the others do: both are connected with it when this returns. */
    Steps beside(Steps steps) {
        device.send(null, rank, HELLO_TAG);
        device.recv(null, rank, HELLO_TAG);
        return new Steps() {
            @Override
            public void pinned(int core) {
                steps.pinned(core);
            }

            @Override
            public long[] run(Step step) {
                return steps.run(step);
            }

            @Override
            public void close() {
                if (device.rank() == 0) {
                    device.send(null, rank, END_TAG);
                }
                steps.close();
            }
        };
    }
}
