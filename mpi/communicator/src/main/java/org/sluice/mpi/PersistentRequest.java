package org.sluice.mpi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * A message or collective whose arguments were checked once, and that is started again and again (MPI 4.1, sections 3.9
 * and 6.13). The buffer is the caller's while the request is inactive: before the first start, and once a wait or test
 * has found that it is over. A wait for an inactive one returns at once, with the status of its last run, or an empty
 * one.
 *
 * <p>To wait for several, give it to a communicator's {@code waitAll} and the like: those of the device don't take it.
 *
 * <p><i>Thread</i>: one at a time. <i>Fails</i>: as the call that it stands for, each time.
 */
public final class PersistentRequest implements Request {
    /** Begins one run. */
    @FunctionalInterface
    interface Beginning {
        Request begin();
    }

    private final Beginning beginning;
    private final String what;
    /** The last run; null before the first. */
    private Request run;

    private boolean isActive;

    PersistentRequest(String what, Beginning beginning) {
        this.what = what;
        this.beginning = beginning;
    }

    /**
     * Begins it.
     *
     * @throws IllegalStateException while it is on its way
     */
    public void start() {
        if (isActive && !run.isDone()) {
            throw new IllegalStateException(this + " is on its way: wait for it before it is started again");
        }
        run = beginning.begin();
        isActive = true;
    }

    /** Starts all, in their order. */
    public static void startAll(PersistentRequest... requests) {
        for (PersistentRequest request : requests) {
            request.start();
        }
    }

    /** Whether it was started, and no wait or test has found that it is over. */
    public boolean isActive() {
        return isActive;
    }

    /** Null where nobody has to wait. */
    Request active() {
        return isActive ? run : null;
    }

    /** A wait or test has found that it is over. */
    void found() {
        isActive = false;
    }

    @Override
    public boolean isDone() {
        return !isActive || run.isDone();
    }

    @Override
    public Status test() {
        if (run == null) {
            return empty();
        }
        if (!run.isDone()) {
            return null;
        }
        isActive = false;
        return run.test();
    }

    @Override
    public Status waitFor() {
        Status status = new Status();
        waitFor(status);
        return status;
    }

    @Override
    public void waitFor(Status status) {
        if (run == null) {
            status.set(Device.ANY_SOURCE, Device.ANY_TAG, -1, 0, 1, ErrorCode.NONE);
            return;
        }
        try {
            run.waitFor(status);
        } finally {
            isActive = false;
        }
    }

    @Override
    public Status waitFor(long timeout, TimeUnit unit) {
        if (run == null) {
            return empty();
        }
        boolean isFound = true;
        try {
            Status status = run.waitFor(timeout, unit);
            isFound = status != null;
            return status;
        } finally {
            // One that ends just after its time was up is found by the next wait.
            isActive &= !isFound;
        }
    }

    private static Status empty() {
        return new Status();
    }

    /** Of the run that is on its way: false where there is none. */
    @Override
    public boolean cancel() {
        return isActive && run.cancel();
    }

    /** Of the last run. */
    @Override
    public CompletableFuture<Status> toFuture() {
        return run == null ? CompletableFuture.completedFuture(empty()) : run.toFuture();
    }

    @Override
    public ErrorCode error() {
        return run == null ? ErrorCode.NONE : run.error();
    }

    @Override
    public String toString() {
        return "PersistentRequest[" + what + (isActive ? ", active]" : "]");
    }
}
