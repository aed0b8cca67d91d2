package org.sluice.hybrid.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.sluice.device.channel.Fences;
import org.sluice.hybrid.lock.BiasedLock;

/**
 * A spin lock that knows whether somebody else wants it: the leader holds it while it polls and gives way when asked.
 *
 * <p>Waiters spin, then yield, and are never woken: whoever holds the lock gives way within one round of progress, so
 * waits are short and a wake-up would cost more than they do. <i>Thread</i>: any; not reentrant, and it does not know
 * its owner: a reference stored at each message would cost the collector's barrier. <i>Proof</i>:
 * {@code ProgressEngineTest}.
 */
public final class ProgressLock extends BiasedLock {
    private static final VarHandle CONTENDERS;
    private static final int SPINS = 200;

    static {
        try {
            CONTENDERS = MethodHandles.lookup().findVarHandle(ProgressLock.class, "contenders", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private int contenders;

    public ProgressLock(Fences fences) {
        super(fences);
    }

    @Override
    protected void lockUnbiased() {
        if (!tryLockUnbiased()) {
            CONTENDERS.getAndAdd(this, 1);
            try {
                super.lockUnbiased();
            } finally {
                CONTENDERS.getAndAdd(this, -1);
            }
        }
    }

    /** @return false when nobody let go of it in time: it was not run */
    boolean runWithin(Runnable look, long nanos) {
        if (!lockWithin(nanos)) {
            return false;
        }
        try {
            look.run();
        } finally {
            unlock();
        }
        return true;
    }

    /**
     * As {@link #lock}, for one who gives up.
     *
     * @return false when nobody let go of it in time
     */
    private boolean lockWithin(long nanos) {
        long start = System.nanoTime();
        CONTENDERS.getAndAdd(this, 1);
        try {
            while (!tryLockUnbiased()) {
                if (System.nanoTime() - start > nanos) {
                    return false;
                }
                Thread.yield();
            }
            return true;
        } finally {
            CONTENDERS.getAndAdd(this, -1);
        }
    }

    public boolean isContended() {
        return (int) CONTENDERS.getOpaque(this) != 0;
    }

    /** Unlocks, gives the core to whoever can use it, and locks again. */
    void yieldCore(Sleeper sleeper) {
        unlock();
        try {
            sleeper.yieldCore();
        } finally {
            lock();
        }
    }

    /** Unlocks, leaves the core to others for a moment, and locks again. */
    void nap(Sleeper sleeper) {
        unlock();
        try {
            sleeper.nap();
        } finally {
            lock();
        }
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
