package org.sluice.mpi;

import java.util.function.Consumer;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.LayerPromise;

/**
 * A collective that nobody waits for: it goes on round by round, and ends its request.
 *
 * <p><i>Thread</i>: whichever leaves the device; links under the communicator's lock.
 */
final class Started {
    private final CollectiveSpace communicator;
    private final Call call;
    private final int slot;
    private final LayerPromise promise;
    private final int turn;
    /** The one that waits for its place. */
    private Started next;

    /** Who begins it just now, and sees himself to what comes after it. */
    private Thread beginner;

    private boolean isOverAtOnce;
    private Throwable failure;
    /** What else is told of its end, and of the failure if there was one; or null. */
    private final Consumer<Throwable> then;

    Started(
            CollectiveSpace communicator,
            Call call,
            int slot,
            LayerPromise promise,
            int turn,
            Consumer<Throwable> then) {
        this.communicator = communicator;
        this.call = call;
        this.slot = slot;
        this.promise = promise;
        this.turn = turn;
        this.then = then;
    }

    LayerPromise promise() {
        return promise;
    }

    /** Which of this rank's collectives on the communicator it is. */
    int turn() {
        return turn;
    }

    Call call() {
        return call;
    }

    Started next() {
        return next;
    }

    void next(Started newNext) {
        next = newNext;
    }

    Started last() {
        Started last = this;
        while (last.next != null) {
            last = last.next;
        }
        return last;
    }

    /** With those that wait for its place, for as long as they are over at once. */
    void begin() {
        for (Started now = this; now != null; ) {
            now = now.isOverAtOnce() ? now.leave() : null;
        }
    }

    private boolean isOverAtOnce() {
        beginner = Thread.currentThread();
        call.execution().begin(this::ended);
        beginner = null;
        return isOverAtOnce;
    }

    private void ended() {
        failure = call.execution().failure();
        if (failure == null) {
            try {
                call.deliver();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        if (failure != null) {
            failure = communicator.failed(call, failure);
        }
        call.forget();
        if (beginner == Thread.currentThread()) {
            isOverAtOnce = true;
            return;
        }
        Started after = leave();
        if (after != null) {
            after.begin();
        }
    }

    /** Gives its place to the one that is returned, and ends its request. */
    private Started leave() {
        Started after = communicator.over(this, slot);
        end(promise, communicator.rank(), failure);
        if (then != null) {
            then.accept(failure);
        }
        return after;
    }

    /** @param failure null if it went well */
    static void end(LayerPromise promise, int rank, Throwable failure) {
        if (failure == null) {
            promise.succeed(rank, 0, 0, 1);
        } else if (failure instanceof SluiceException) {
            SluiceException known = (SluiceException) failure;
            promise.fail(known.code(), known.peer(), known.getMessage(), known);
        } else {
            promise.fail(ErrorCode.COLLECTIVE_FAILED, -1, String.valueOf(failure.getMessage()), failure);
        }
    }

    /** For who throws it. */
    static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        return (RuntimeException) thrown;
    }

    /** Its place is free then; how it ended is nothing to who waits for that. */
    void awaitEnd() {
        try {
            promise.waitFor();
        } catch (SluiceException e) {
            // Whoever has the request is told.
            return;
        }
    }
}
