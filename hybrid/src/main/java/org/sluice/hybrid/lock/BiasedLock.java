package org.sluice.hybrid.lock;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.channel.Fences;

/**
 * A spin lock that costs the thread which nearly always takes it two plain stores: no atomic operation, no fence.
 *
 * <p>An atomic operation waits until every earlier store is visible, the message just published included, which takes a
 * cache-line transfer to the receiver; at one a message it bounds the message rate. So the lock is biased to a thread:
 * that one says in a flag of its own that it is inside and looks whether the bias still stands. Whoever else wants the
 * lock takes {@code held}, removes the bias, makes every thread of the process pass a fence
 * (docs/project/adr/0009-asymmetric-fences.md), and waits until the flag is down. A thread that then takes the lock
 * often enough in a row gets the bias. Without that process-wide fence it is a plain spin lock.
 *
 * <p>A thread may leave a call with the lock held: where its stack is at its end, what was to unlock finds no room on
 * it either. Whoever has waited for long looks where the owner is, and takes the lock from one that is in no call any
 * more (docs/project/adr/0065-a-call-that-the-stack-ended-ends-the-device.md).
 *
 * <p><i>Thread</i>: any; not reentrant; unlocked by the thread that locked. <i>Proof</i>: {@code BiasedLockStress},
 * {@code BiasedLockTest}.
 */
public class BiasedLock {
    private static final VarHandle BIAS;
    private static final VarHandle HELD;
    private static final VarHandle INSIDE;
    private static final int SPINS = 100;
    /** More than any wait takes while the holder runs. */
    private static final int TRIES_AWAKE = 2000;

    private static final long NAP_NANOS = 200_000;
    /** Naps between two looks where the owner is: some hundred milliseconds, as each stops that thread for a moment. */
    private static final int NAPS_PER_LOOK = 500;
    /** {@link #held} by a thread that has not yet said who it is. */
    private static final long TAKEN = 1;

    private static final long ID = 0x7fff_ffffL;
    /** Where a thread is that holds a lock: in frames of those that lock, or that wait for one. */
    private static final String ROOM = "org.sluice.hybrid.";

    private static final List<String> PACKAGES =
            List.of(ROOM + "lock.", ROOM + "route.", ROOM + "progress.", ROOM + "protocol.", ROOM + "device.");
    /** What a removal costs (some ten microseconds) has to be saved first. */
    private static final int ENOUGH = 4096;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            BIAS = lookup.findVarHandle(BiasedLock.class, "bias", Bias.class);
            HELD = lookup.findVarHandle(BiasedLock.class, "held", long.class);
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

    /** Hears of a thread that left with the lock. */
    public interface Orphaned {
        /** By the thread that has the lock now. */
        void orphaned(Thread owner);
    }

    private final Fences fences;
    /** Whose lock it is at no cost; null: nobody's. Written by the holder of {@code held}. */
    private Bias bias;
    /**
     * The newest bias there was: its thread may still be inside when the bias is gone. Written by the holder of
     * {@code held}.
     */
    private Bias newest = new Bias(null);
    /**
     * 0, {@link #TAKEN}, or which time it was taken and, in the lower half, by whom: its number is that of
     * {@link #candidate}.
     */
    private long held;

    private int takes;
    /** Null: nobody. */
    private Orphaned whenOrphaned;
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

    /**
     * @param told is told, by the thread that has the lock now, from whom it was taken; before anybody else knows this
     *     lock
     */
    public final void onOrphaned(Orphaned told) {
        whenOrphaned = told;
    }

    private void tellOrphaned(Thread owner) {
        if (whenOrphaned != null) {
            whenOrphaned.orphaned(owner);
        }
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
            while (!takeHeld() && !(tries > TRIES_AWAKE && takeOrphan(tries))) {
                isInterrupted |= pause(tries++);
            }
            removeBias();
            // From here on the others wait for this one too.
            tries = 0;
            while ((int) INSIDE.getAcquire(newest) != 0 && !(tries > TRIES_AWAKE && forgetOrphan(tries))) {
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
            HELD.setRelease(this, 0L);
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
        // Orders the flag before the look at the bias for the compiler; for the core, the remover's process-wide fence
        // does.
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
        Thread me = Thread.currentThread();
        long id = me.getId();
        if ((long) HELD.getOpaque(this) != 0 || !HELD.compareAndSet(this, 0L, TAKEN)) {
            return false;
        }
        // No call from here until it is said whose it is: there may be no stack for one.
        if (candidate != me) {
            candidate = me;
            streak = 0;
        }
        held = (long) ++takes << Integer.SIZE | id & ID;
        return true;
    }

    /**
     * Takes {@code held} from a thread that left it so.
     *
     * @return false if it is not known that one did
     */
    private boolean takeOrphan(int tries) {
        long seen = (long) HELD.getAcquire(this);
        Thread owner = candidate;
        if (owner == null
                || seen >>> Integer.SIZE == 0
                || (seen & ID) != (owner.getId() & ID)
                || !isGone(owner, tries)) {
            return false;
        }
        synchronized (this) {
            // Taken the same time before and after its owner was seen elsewhere: nobody gives that back any more.
            if ((long) HELD.getAcquire(this) != seen) {
                return false;
            }
            Thread me = Thread.currentThread();
            candidate = me;
            streak = 0;
            HELD.setRelease(this, (long) ++takes << Integer.SIZE | me.getId() & ID);
        }
        tellOrphaned(owner);
        return true;
    }

    /** As {@link #takeOrphan}, of one who was inside by a bias that has been removed; with {@code held}. */
    private boolean forgetOrphan(int tries) {
        Bias before = newest;
        if (!isGone(before.thread, tries) || (int) INSIDE.getAcquire(before) == 0) {
            return false;
        }
        newest = new Bias(null);
        tellOrphaned(before.thread);
        return true;
    }

    private static boolean isGone(Thread owner, int tries) {
        if (owner == Thread.currentThread()) {
            return true;
        }
        if ((tries - TRIES_AWAKE) % NAPS_PER_LOOK != 0) {
            return false;
        }
        for (StackTraceElement frame : owner.getStackTrace()) {
            for (String packageOfRoom : PACKAGES) {
                if (frame.getClassName().startsWith(packageOfRoom)) {
                    return false;
                }
            }
        }
        return true;
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
                HELD.setRelease(this, 0L);
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
        if (++streak > enough) {
            streak = 0;
            Bias mine = new Bias(candidate);
            newest = mine;
            BIAS.setOpaque(this, mine);
        }
    }

    /**
     * @return whether the thread was interrupted: it isn't any more, as that, and setting it again, would end each nap
     *     at once
     */
    private static boolean pause(int tries) {
        if (tries < SPINS) {
            Thread.onSpinWait();
        } else if (tries < TRIES_AWAKE) {
            Thread.yield();
        } else {
            // Virtual threads that only yield keep all carriers from one that is woken from outside: such as the
            // holder, where something blocked it.
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
            HELD.setRelease(this, 0L);
        }
    }
}
