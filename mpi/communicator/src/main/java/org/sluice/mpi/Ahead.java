package org.sluice.mpi;

import java.util.concurrent.locks.LockSupport;
import org.sluice.device.layer.Layer;

/**
 * A collective that goes on while its rank does something else, within a call that waits. As one of {@link Started},
 * but made again and again, by the owner of a communicator that nobody else knows; so it allocates nothing. Where the
 * ranks of the node are more than its cores it is over before its call returns.
 *
 * <p><i>Thread</i>: one; the rounds run on whichever leaves the device. <i>Fails</i>: in {@link #finish}.
 */
final class Ahead {
    private static final int SPINS = 50;
    private static final int YIELDS = 400;
    private static final long NAP_NANOS = 50_000;

    private final CollectiveSpace communicator;
    private final Layer layer;
    private final Call call;
    private final Runnable ended = this::ended;
    private boolean isBegun;
    /** Written behind all that it has done. */
    private volatile boolean isOver;

    Ahead(CollectiveSpace communicator) {
        this.communicator = communicator;
        this.layer = communicator.layer;
        this.call = communicator.anotherCall();
    }

    private void ended() {
        isOver = true;
    }

    void broadcast(Segment segment, int root) {
        call.broadcast(segment, root);
        begin();
    }

    void allReduceInPlace(Segment segment, Reduction reduction) {
        call.allReduce(Data.IN_PLACE, segment, reduction);
        begin();
    }

    private void begin() {
        communicator.nextTurn(call);
        if (!layer.spins()) {
            // A thread more would go on meanwhile, and there is no core for it.
            run();
            return;
        }
        isOver = false;
        isBegun = true;
        call.execution().begin(ended);
    }

    private void run() {
        try {
            call.execution().run();
        } catch (RuntimeException | Error e) {
            throw Started.unchecked(communicator.failed(call, e));
        } finally {
            call.forget();
        }
    }

    /** Returns when the one that was begun last is over, if there is any. */
    void finish() {
        if (!isBegun) {
            return;
        }
        await();
        isBegun = false;
        Throwable failure = call.execution().failure();
        call.forget();
        if (failure != null) {
            throw Started.unchecked(communicator.failed(call, failure));
        }
    }

    /** As {@link #finish}, once the communicator's collectives are over: afterwards no buffer is in flight. */
    void settle() {
        try {
            finish();
        } catch (RuntimeException e) {
            // Whoever waits is told of what was before it.
            isBegun = false;
        }
    }

    private void await() {
        for (int lost = 0; !isOver; lost++) {
            layer.device().progress();
            if (lost < SPINS) {
                Thread.onSpinWait();
            } else if (lost < SPINS + YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }
}
