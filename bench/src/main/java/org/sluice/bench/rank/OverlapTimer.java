package org.sluice.bench.rank;

import java.util.Arrays;
import org.sluice.bench.plan.OverlapTimes;
import org.sluice.bench.plan.Step;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * Times what goes on by itself, in three parts: a transfer that is waited for at once, a computation that takes about
 * as long, and another transfer during the same computation.
 *
 * <p><i>Thread</i>: the rank's.
 */
final class OverlapTimer {
    /** Of an iteration. */
    private static final int TRANSFERS = 2;

    private static final int PARTS = 3;

    private final Transfer transfer;
    private final Computation computation = new Computation();
    private final Status status = new Status();

    /** What is hidden. */
    interface Transfer {
        /** @param number from 0 on in each step */
        Request begin(int number);

        /** It is over; nobody times this. */
        void look(int number, Status status);
    }

    OverlapTimer(Transfer transfer) {
        this.transfer = transfer;
    }

    /** How many there are in a step. */
    static int transfers(Step step) {
        return TRANSFERS * step.iterations();
    }

    /** @return {@code step.samples()} numbers */
    long[] time(Step step) {
        long[] samples = new long[step.samples()];
        long[] parts = new long[PARTS];
        int number = 0;
        for (int iteration = 0; iteration < step.leadIn(); iteration++) {
            number = once(number, parts);
        }
        for (int batch = 0; batch < step.batches(); batch++) {
            Arrays.fill(parts, 0);
            long start = System.nanoTime();
            for (int iteration = 0; iteration < step.batch(); iteration++) {
                number = once(number, parts);
            }
            new OverlapTimes(System.nanoTime() - start, parts[0], parts[1], parts[2]).into(samples, batch);
        }
        return samples;
    }

    /**
     * Adds to the parts.
     *
     * @return the number of the next transfer
     */
    private int once(int number, long[] parts) {
        long comm = transferred(number, false);
        computation.take(comm);
        parts[0] += comm;
        parts[1] += computation.timed();
        parts[2] += transferred(number + 1, true);
        return number + TRANSFERS;
    }

    /** @return nanoseconds from before its beginning until it is over */
    private long transferred(int number, boolean computing) {
        long start = System.nanoTime();
        Request request = transfer.begin(number);
        if (computing) {
            computation.run();
        }
        request.waitFor(status);
        long nanos = System.nanoTime() - start;
        transfer.look(number, status);
        return nanos;
    }
}
