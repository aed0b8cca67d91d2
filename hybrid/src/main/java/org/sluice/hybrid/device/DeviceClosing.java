package org.sluice.hybrid.device;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Channel;
import org.sluice.device.option.Option;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Guard;
import org.sluice.launch.Bootstrap;
import org.sluice.launch.LastLines;

/**
 * Closes a device: receives fail, sends get their time, peers are told, everything is given back. Without lambdas on
 * the way that each close goes (ADR 0008).
 *
 * <p><i>Thread</i>: any; the first to close does it, others wait until it is done. <i>Fails</i>: TIMEOUT when a peer
 * does not take what was sent to it; PEER_DEAD when something was lost and no request has told of it; everything is
 * given back all the same. DEVICE_FAILED when the system doesn't take something back. <i>Proof</i>: {@code CloseCases},
 * {@code LateCloseTest}, {@code CloseProcessTest}, {@code PortDownRxeTest}.
 */
final class DeviceClosing {
    /** What ends before the device does. */
    interface Last {
        void end();
    }

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** A launcher that lives answers in milliseconds, and connections are the way without one. */
    private static final long LAUNCHER_PATIENCE_MS = 2000;

    private final DeviceParts parts;
    private final Inside inside;
    private final Last layer;
    private final Guard guard;
    /**
     * Not a monitor: whoever holds one while it parks, or waits for one, keeps a virtual thread's carrier before JDK
     * 24, and a close takes seconds where peers are late.
     */
    private final ReentrantLock once = new ReentrantLock();

    private volatile boolean closing;
    private boolean closed;

    DeviceClosing(DeviceParts parts, Inside inside, Last layer) {
        this.parts = parts;
        this.inside = inside;
        this.layer = layer;
        this.guard = parts.exchange().guard();
    }

    /**
     * What an opening that failed has to do all the same: its program learns of the cause, and beside it of what this
     * throws.
     */
    static void suppressing(Throwable cause, Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            if (e != cause) {
                cause.addSuppressed(e);
            }
        }
    }

    void checkOpen() {
        if (closing || guard.caught != null) {
            refuse();
        }
    }

    private void refuse() {
        if (closing) {
            throw new SluiceException(ErrorCode.DEVICE_CLOSED, "rank " + parts.rank() + "'s device is closed");
        }
        parts.exchange().locked(parts.exchange()::endIfCaught);
    }

    /** Ends the device if a call of it was left half-way. */
    void endIfDue() {
        if (parts.exchange().isEndDue()) {
            parts.engine().lock();
            try {
                parts.exchange().endIfDue();
            } finally {
                parts.engine().unlock();
            }
        }
    }

    boolean isClosing() {
        return closing;
    }

    void close() {
        once.lock();
        try {
            if (!closed) {
                closed = true;
                closeOnce();
            }
        } finally {
            once.unlock();
        }
    }

    /** Also after a close that went wrong half-way; for a device that no program has, so no thread of it is in one. */
    void stopThreads() {
        parts.engine().stop(System.nanoTime() + STOP_NANOS);
        inside.close();
    }

    private void closeOnce() {
        closing = true;
        long deadline = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(parts.options().number(Option.CLOSE_TIMEOUT_MS));
        Failure failure =
                new Failure(ErrorCode.DEVICE_CLOSED, -1, "rank " + parts.rank() + "'s device was closed meanwhile");
        boolean failedBefore;
        int busy;
        try {
            endIfDue();
            failPosted(failure);
            busy = drain(deadline);
            failedBefore = parts.exchange().ended() != null;
            if (!failedBefore) {
                sayGoodbye(failure, deadline);
                busy = busy < 0 ? drain(deadline) : busy;
                drainReceives(deadline);
            }
        } finally {
            endAndLeave(failure, deadline);
        }
        if (!failedBefore) {
            sayUnheard();
            tellOf(busy, parts.exchange().undelivered());
        }
    }

    /** Each step whatever the one before throws: nobody comes here again. */
    private void endAndLeave(Failure failure, long deadline) {
        try {
            parts.engine().stop(deadline);
        } finally {
            try {
                endAll(failure);
            } finally {
                leave();
            }
        }
    }

    private void endAll(Failure failure) {
        parts.engine().lock();
        try {
            parts.exchange().end(failure);
        } finally {
            try {
                parts.exchange().endLeases();
            } finally {
                parts.engine().unlock();
            }
        }
    }

    private void failPosted(Failure failure) {
        parts.engine().lock();
        try {
            parts.exchange().failPosted(failure);
        } finally {
            parts.engine().unlock();
        }
    }

    private void leave() {
        try {
            inside.close();
        } finally {
            layer.end();
            try {
                giveBack(parts.rank(), parts.channels(), parts.job().bootstrap());
            } finally {
                parts.job().leave();
            }
        }
    }

    /**
     * Peers that were never talked to, and would have to be connected with for that alone, hear of it over the
     * bootstrap, where that reaches them.
     */
    private void sayGoodbye(Failure failure, long deadline) {
        BitSet unmet;
        parts.engine().lock();
        try {
            parts.exchange().endReceives(failure);
            unmet = parts.exchange().sayGoodbye();
        } finally {
            parts.engine().unlock();
        }
        if (!unmet.isEmpty()) {
            // The other half is for those that hear of it by a connection, where they don't by this; what peers still
            // wait for goes on.
            long patienceMs =
                    Math.min(LAUNCHER_PATIENCE_MS, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()) / 2);
            boolean areTold = parts.job().bootstrap().tellClosing(unmet, patienceMs, parts.engine()::progressOnce);
            parts.engine().lock();
            try {
                parts.exchange().leaveUnmet(unmet, areTold);
            } finally {
                parts.engine().unlock();
            }
        }
    }

    /** A close that threw for what the program could have asked its requests would hide what else it ends with. */
    private void sayUnheard() {
        String sends;
        parts.engine().lock();
        try {
            sends = parts.exchange().completed().unheard().text();
        } finally {
            parts.engine().unlock();
        }
        if (!sends.isEmpty()) {
            LastLines.print("sluice: rank " + parts.rank()
                    + " has closed its device, and the program was never told that these failed: " + sends
                    + "; wait for the requests of sends before closing, and let the ranks agree before they close"
                    + System.lineSeparator());
        }
    }

    /**
     * @param busy a peer to which something is still on the way, or -1
     * @param undelivered what no request has told of, or null
     */
    private void tellOf(int busy, SluiceException undelivered) {
        if (busy >= 0) {
            String what = busy == parts.rank()
                    ? "rank " + busy + " did not take what it sent to itself within "
                    : "rank " + busy + " did not take what rank " + parts.rank() + " sent to it within ";
            throw new SluiceException(
                    ErrorCode.TIMEOUT,
                    busy,
                    what + parts.options().number(Option.CLOSE_TIMEOUT_MS) + " ms of closing ("
                            + Option.CLOSE_TIMEOUT_MS.property() + "): receive everything before the ranks close",
                    null);
        }
        if (undelivered != null) {
            throw undelivered;
        }
    }

    /** Whatever goes wrong with one channel, the others are closed too. */
    static void giveBack(int rank, Channel[] channels, Bootstrap bootstrap) {
        RuntimeException first = null;
        for (Channel channel : channels) {
            try {
                channel.close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        bootstrap.close();
        if (first != null) {
            throw new SluiceException(
                    ErrorCode.DEVICE_FAILED,
                    -1,
                    "rank " + rank + "'s device is closed, but the system did not take back all" + " that it had: "
                            + first.getMessage(),
                    first);
        }
    }

    /**
     * Makes progress until nothing is on the way.
     *
     * @return a peer to which something still is, or -1
     */
    private int drain(long deadline) {
        while (true) {
            boolean moved = parts.engine().progressOnce();
            int busy = busyPeer();
            if (busy < 0 || System.nanoTime() - deadline >= 0) {
                return busy;
            }
            if (!moved) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Pieces that are on the way come in, or don't: what is left then loses its connection. */
    private void drainReceives(long deadline) {
        while (isReceiving() && System.nanoTime() - deadline < 0) {
            if (!parts.engine().progressOnce()) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private boolean isReceiving() {
        parts.engine().lock();
        try {
            return parts.exchange().isReceiving();
        } finally {
            parts.engine().unlock();
        }
    }

    private int busyPeer() {
        parts.engine().lock();
        try {
            return parts.exchange().firstBusyPeer();
        } finally {
            parts.engine().unlock();
        }
    }
}
