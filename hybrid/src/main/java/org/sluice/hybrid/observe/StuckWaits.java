package org.sluice.hybrid.observe;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sluice.hybrid.progress.ProgressEngine;

/**
 * Has a device write its state when a call has waited for long, once for each such wait.
 *
 * <p><i>Thread</i>: its own. <i>Fails</i>: never; where the progress lock can't be had that is what is written.
 * <i>Proof</i>: {@code DumpProcessTest}.
 */
public final class StuckWaits implements Runnable {
    private static final long SHORTEST_LOOK_MS = 10;
    private static final long LONGEST_LOOK_MS = 1000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ProgressEngine engine;
    private final Observed device;
    private final String reason;
    private final long limitNanos;
    private final long lookNanos;
    private final Thread thread;
    /** Under the progress lock. */
    private int found;

    private boolean isHeld;
    private volatile boolean stopped;

    /** @param reason as {@link Observed#dump} takes it */
    public StuckWaits(ProgressEngine engine, Observed device, long limitMs, String reason, String name) {
        this.engine = engine;
        this.device = device;
        this.reason = reason;
        this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMs);
        this.lookNanos =
                TimeUnit.MILLISECONDS.toNanos(Math.max(SHORTEST_LOOK_MS, Math.min(LONGEST_LOOK_MS, limitMs / 4)));
        this.thread = new Thread(null, this, name, 0, false);
        thread.setDaemon(true);
    }

    /** Before the program has the device. */
    public void start() {
        engine.waits().turnOn();
        thread.start();
    }

    public void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!stopped) {
            LockSupport.parkNanos(this, lookNanos);
            boolean wasHeld = isHeld;
            isHeld = !engine.inspect(() -> found = engine.waits().countNewLongerThan(limitNanos), PATIENCE_NANOS);
            // Somebody who never lets go of it is stuck too; once is enough.
            if (!stopped && (isHeld ? !wasHeld : found > 0)) {
                device.dump(reason);
            }
        }
    }
}
