package org.sluice.hybrid.device;

/**
 * Time in which this process could run, as far as one who looks often can tell: while it is stopped, or its machine is,
 * nobody in it is late. <i>Thread</i>: one. <i>Proof</i>: {@code DeviceJobTest}.
 */
final class RunningTime {
    /** Many times what a look takes that is due every 20 ms. */
    private static final long MOST_BETWEEN_LOOKS_NANOS = 500_000_000;

    private long lastLook = System.nanoTime();
    private long nanos;

    /** Since this was made. */
    long nanos() {
        long now = System.nanoTime();
        nanos += Math.min(now - lastLook, MOST_BETWEEN_LOOKS_NANOS);
        lastLook = now;
        return nanos;
    }
}
