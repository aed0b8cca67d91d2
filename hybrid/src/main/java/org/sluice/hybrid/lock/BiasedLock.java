package org.sluice.hybrid.lock;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.channel.Fences;

/**
 * A spin lock that costs the thread which nearly always takes it two plain stores: no atomic operation, no fence.
 *
 * <p>An atomic operation waits until every earlier store is visible, the message just published included, which takes a cache-line transfer
 * to the receiver; at one a message it bounds the message rate. So the lock is biased to a thread: that one says in a flag of its own
 * that it is inside and looks whether the bias still stands. Whoever else wants the lock takes {@code held}, removes the bias, makes every
 * thread of the process pass a fence (docs/adr/0009-asymmetric-fences.md), and waits until the flag is down. A thread that then takes the lock
 * often enough in a row gets the bias. Without that process-wide fence it is a plain spin lock.
 *
 * <p><i>Thread</i>: any; not reentrant; unlocked by the thread that locked. <i>Proof</i>: {@code BiasedLockStress}, {@code BiasedLockTest}.
 */
public class BiasedLock {
    private static final VarHandle BIAS;
    private static final VarHandle HELD;
    private static final VarHandle INSIDE;
    private static final int SPINS = 100;
    /** More than any wait takes while the holder runs. */
    private static final int TRIES_AWAKE = 2000;
    private static final long NAP_NANOS = 200_000;
    /** What a removal costs (some ten microseconds) has to be saved first. */
    private static final int ENOUGH = 4096;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            BIAS = lookup.findVarHandle(BiasedLock.class, "bias", Bias.class);
            HELD = lookup.findVarHandle(BiasedLock.class, "held", int.class);
            INSIDE = lookup.findVarHandle(Bias.class, "inside", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** One thread's bias; never used for a second thread, so that nobody else writes its flag. */
    private static final class Bias {
        final Thread thread;
        /** 1 while its thread is inside by this bias, or tries to be: written by that thread alone. */
        int inside;

        Bias(Thread thread) {
            this.thread = thread;
        }
    }

    private final Fences fences;
    /** Whose lock it is at no cost; null: nobody's. Written by the holder of {@code held}. */
    private Bias bias;
    /** The newest bias there was: its thread may still be inside when the bias is gone. Written by the holder of {@code held}. */
    private Bias newest = new Bias(null);
    private int held;
    /** How the lock was taken; written and read by whoever has it. */
    private boolean byBias;
    /** Under {@code held}: who took it last, and how often in a row. */
    private Thread candidate;
    private int streak;
    private final int enough;

    public BiasedLock(Fences fences) {
        this(fences, ENOUGH);
    }

    /** @param enough how often a thread must take the lock in a row to get the bias */
    BiasedLock(Fences fences, int enough) {
        this.fences = fences;
        this.enough = enough;
    }

    public final void lock() {
        if (!enter()) {
            lockUnbiased();
        }
    }

    /** {@link #lock} for whom it isn't biased to. */
    protected void lockUnbiased() {
        int tries = 0;
        boolean isInterrupted = false;
        try {
            while (!takeHeld()) {
                isInterrupted |= pause(tries++);
            }
            removeBias();
            // From here on the others wait for this one too.
            tries = 0;
            while ((int) INSIDE.getAcquire(newest) != 0) {
                isInterrupted |= pause(tries++);
            }
            taken();
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes the lock if nobody has it. */
    public final boolean tryLock() {
        return enter() || tryLockUnbiased();
    }

    /** {@link #tryLock} for whom it isn't biased to. */
    protected final boolean tryLockUnbiased() {
        if (!takeHeld()) {
            return false;
        }
        removeBias();
        if ((int) INSIDE.getAcquire(newest) != 0) {
            HELD.setRelease(this, 0);
            return false;
        }
        taken();
        return true;
    }

    private boolean enter() {
        Bias mine = bias;
        if (mine == null || mine.thread != Thread.currentThread()) {
            return false;
        }
        INSIDE.setOpaque(mine, 1);
        // Orders the flag before the look at the bias for the compiler; for the core, the remover's process-wide fence does.
        VarHandle.acquireFence();
        if (BIAS.getOpaque(this) == mine) {
            // What the last holder wrote: by held, its release store came before the bias was given.
            VarHandle.acquireFence();
            if (!byBias) {
                byBias = true;
            }
            return true;
        }
        INSIDE.setRelease(mine, 0);
        return false;
    }

    private boolean takeHeld() {
        return (int) HELD.getOpaque(this) == 0 && HELD.compareAndSet(this, 0, 1);
    }

    /** With {@code held}; gives that back and leaves the bias as it was when the process-wide fence fails. */
    private void removeBias() {
        Bias before = bias;
        if (before != null) {
            BIAS.setOpaque(this, null);
            try {
                fences.beforeLook();
            } catch (Throwable e) {
                BIAS.setOpaque(this, before);
                HELD.setRelease(this, 0);
                throw e;
            }
            streak = 0;
        }
    }

    /** Inside, by {@code held}. */
    private void taken() {
        byBias = false;
        if (!fences.isAsymmetric()) {
            return;
        }
        Thread me = Thread.currentThread();
        if (candidate != me) {
            candidate = me;
            streak = 0;
        } else if (++streak >= enough) {
            streak = 0;
            Bias mine = new Bias(me);
            newest = mine;
            BIAS.setOpaque(this, mine);
        }
    }

    /** @return whether the thread was interrupted: it isn't any more, as that, and setting it again, would end each nap at once */
    private static boolean pause(int tries) {
        if (tries < SPINS) {
            Thread.onSpinWait();
        } else if (tries < TRIES_AWAKE) {
            Thread.yield();
        } else {
            // Virtual threads that only yield keep all carriers from one that is woken from outside: such as the holder, where something blocked it.
            boolean isInterrupted = Thread.interrupted();
            LockSupport.parkNanos(NAP_NANOS);
            return isInterrupted;
        }
        return false;
    }

    public final void unlock() {
        if (byBias) {
            INSIDE.setRelease(newest, 0);
        } else {
            HELD.setRelease(this, 0);
        }
    }
}
