package org.sluice.hybrid.device;

import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.segment.SegmentChannel;

/**
 * Ranks that died since this one made its segment: takes away the names they left, and knows better than the kernel why
 * a segment is gone.
 *
 * <p><i>Thread</i>: the bootstrap's tells, the opening one asks. <i>Proof</i>: {@code OpenProcessTest}.
 */
final class DiedMeanwhile implements IntConsumer {
    /**
     * The kernel ends a process before its launcher tells the others; only an opening that fails anyway waits for that.
     */
    private static final long PATIENCE_MS = 2000;

    private static final int NOBODY = -1;

    private final String jobId;
    private final Options options;
    private final OsCalls os;
    private int first = NOBODY;

    DiedMeanwhile(String jobId, Options options, OsCalls os) {
        this.jobId = jobId;
        this.options = options;
        this.os = os;
    }

    @Override
    public void accept(int lost) {
        synchronized (this) {
            first = first == NOBODY ? lost : first;
            notifyAll();
        }
        SegmentChannel.removeName(jobId, lost, options, os);
    }

    /**
     * What a failure to connect is to be called: where a rank died, that one, which need not be the peer, as others
     * that know of it close their devices.
     *
     * @param timeoutMs the most that the opening waits for anything
     */
    synchronized SluiceException orElse(SluiceException failure, long timeoutMs) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(timeoutMs, PATIENCE_MS));
        try {
            for (long leftNanos = end - System.nanoTime();
                    first == NOBODY && leftNanos > 0;
                    leftNanos = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (first == NOBODY) {
            return failure;
        }
        SluiceException death = new SluiceException(
                ErrorCode.OPEN_FAILED, first, "rank " + first + " died while this one opened a device", null);
        death.addSuppressed(failure);
        return death;
    }
}
