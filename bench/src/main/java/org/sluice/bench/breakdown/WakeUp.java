package org.sluice.bench.breakdown;

import java.util.concurrent.locks.LockSupport;
import org.sluice.bench.hop.Cores;

/** Two threads that wake each other in turn, each of which parks until it is its turn: a wake-up is half of it. */
final class WakeUp extends Work {
    private static final int ENDED = -1;

    private final Thread caller = Thread.currentThread();
    private final Thread other = new Thread(this::answer, "breakdown-wake-up");
    /** Even: the caller's turn. */
    private volatile int turn;

    WakeUp() {
        other.setDaemon(true);
        other.start();
    }

    private void answer() {
        Cores cores = Cores.allowed();
        if (cores.count() > 1) {
            Cores.pinCaller(cores.number(1));
        }
        for (int own = 1; ; own += 2) {
            while (turn < own) {
                if (turn == ENDED) {
                    return;
                }
                LockSupport.park(this);
            }
            turn = own + 1;
            LockSupport.unpark(caller);
        }
    }

    @Override
    long nanosOf(int times) {
        return super.nanosOf(times) / 2;
    }

    @Override
    long once() {
        int next = turn + 2;
        turn = next - 1;
        LockSupport.unpark(other);
        while (turn != next) {
            LockSupport.park(this);
        }
        return next;
    }

    @Override
    public void close() {
        turn = ENDED;
        LockSupport.unpark(other);
    }
}
