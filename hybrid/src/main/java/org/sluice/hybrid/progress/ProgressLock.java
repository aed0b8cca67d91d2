package org.sluice.hybrid.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A spin lock that knows whether somebody else wants it: the leader holds it while it polls and gives way when asked.
 *
 * <p>Waiters spin, then yield, and never park: whoever holds the lock gives way within one round of progress, so waits are short and a
 * wake-up would cost more than they do. <i>Thread</i>: any; not reentrant, and it does
 * not know its owner: a reference stored at each message would cost the collector's barrier. <i>Proof</i>: {@code ProgressEngineTest}.
 */
public final class ProgressLock {
    private static final VarHandle HELD;
    private static final VarHandle CONTENDERS;
    private static final int SPINS = 200;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HELD = lookup.findVarHandle(ProgressLock.class, "held", int.class);
            CONTENDERS = lookup.findVarHandle(ProgressLock.class, "contenders", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private int held;
    @SuppressWarnings("unused")
    private int contenders;

    public boolean tryLock() {
        return (int) HELD.getOpaque(this) == 0 && HELD.compareAndSet(this, 0, 1);
    }

    public void lock() {
        if (!tryLock()) {
            lockSlowly();
        }
    }

    private void lockSlowly() {
        CONTENDERS.getAndAdd(this, 1);
        try {
            for (int i = 0; !tryLock(); i++) {
                if (i < SPINS) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield();
                }
            }
        } finally {
            CONTENDERS.getAndAdd(this, -1);
        }
    }

    public void unlock() {
        HELD.setRelease(this, 0);
    }

    public boolean isContended() {
        return (int) CONTENDERS.getOpaque(this) != 0;
    }

    /** Unlocks, lets those who wait have it, and locks again. */
    public void giveWay() {
        unlock();
        for (int i = 0; isContended(); i++) {
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
                if (i > 2 * SPINS) {
                    break;
                }
            }
        }
        lock();
    }
}
