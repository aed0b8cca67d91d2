package org.sluice.hybrid.lock;

import org.openjdk.jcstress.infra.results.II_Result;
import org.sluice.device.channel.Fences;
import org.sluice.jni.os.FenceEverywhere;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/**
 * Two threads that go in and out of one lock, one of them often enough to be given the bias, and what they do inside.
 */
class Visitors {
    private static final int OWNER_VISITS = 12;
    private static final int GUEST_VISITS = 3;

    private final BiasedLock lock;
    /** How often each got in; written by it alone. */
    private int ownerVisits;

    private int guestVisits;
    /** Plain on purpose: only the lock keeps them right. */
    private int first;

    private int second;
    private int disagreed;

    /** The bias goes to whoever takes the lock twice in a row, so that it moves about within one trial. */
    Visitors(Fences fences) {
        lock = new BiasedLock(fences, 1);
    }

    /** Process-wide where the machine has such fences; else the lock is a plain one. */
    static Fences real() {
        OsCalls os = Os.calls();
        return FenceEverywhere.isKnown(os) && FenceEverywhere.register(os) == 0 && FenceEverywhere.registerOwn(os) == 0
                ? Fences.asymmetric(new FenceEverywhere(os))
                : Fences.SYMMETRIC;
    }

    final void owner() {
        for (int i = 0; i < OWNER_VISITS; i++) {
            lock.lock();
            inside();
            lock.unlock();
            ownerVisits++;
        }
    }

    /** As {@link #owner}, for a lock so broken that waiting for it may last for ever. */
    final void impatientOwner() {
        for (int i = 0; i < OWNER_VISITS; i++) {
            if (lock.tryLock()) {
                inside();
                lock.unlock();
                ownerVisits++;
            }
        }
    }

    final void guest() {
        for (int i = 0; i < GUEST_VISITS; i++) {
            lock.lock();
            inside();
            lock.unlock();
            guestVisits++;
        }
    }

    final void trier() {
        for (int i = 0; i < GUEST_VISITS; i++) {
            if (lock.tryLock()) {
                inside();
                lock.unlock();
                guestVisits++;
            }
        }
    }

    private void inside() {
        int before = first;
        if (before != second) {
            disagreed++;
        }
        first = before + 1;
        second = before + 1;
    }

    /** Both are 0 when no two were ever inside at once. */
    final void tell(II_Result result) {
        result.r1 = ownerVisits + guestVisits - first;
        result.r2 = disagreed;
    }
}
