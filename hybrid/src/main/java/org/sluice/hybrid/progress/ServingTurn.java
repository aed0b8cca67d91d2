package org.sluice.hybrid.progress;

import java.util.concurrent.locks.LockSupport;
import org.sluice.hybrid.request.Goal;

/**
 * What a call that serves waits for: its end, and where its thread has parked also the next item. The thread of the
 * device that leads meanwhile sleeps after each round that brings nothing; what is to be served next would have to wake
 * it each time.
 *
 * <p><i>Thread</i>: as for each goal. <i>Proof</i>: {@code ServingTest}.
 */
public final class ServingTurn implements Goal {
    private final Goal end;
    private final Serving serving;
    private Thread parked;
    private volatile boolean called;

    ServingTurn(Goal end, Serving serving) {
        this.end = end;
        this.serving = serving;
    }

    @Override
    public boolean isReached() {
        return end.isReached() || called;
    }

    boolean isOver() {
        return end.isReached();
    }

    /** Its thread goes on. */
    void begin() {
        called = false;
    }

    /** Something is due. */
    void call() {
        if (!called) {
            called = true;
            LockSupport.unpark(parked);
        }
    }

    @Override
    public void addWaiter(Thread thread) {
        end.addWaiter(thread);
        parked = thread;
        serving.parked(this, true);
    }

    @Override
    public void removeWaiter(Thread thread) {
        end.removeWaiter(thread);
        serving.parked(this, false);
    }
}
