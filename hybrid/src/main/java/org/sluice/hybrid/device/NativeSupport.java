package org.sluice.hybrid.device;

import org.sluice.device.channel.Fences;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.jni.os.FenceEverywhere;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.segment.FutexWaker;

/**
 * The native calls that one device may use, and how it sleeps and wakes with them; without them it looks at the wait
 * word now and then.
 *
 * @param calls all of them return -ENOSYS where {@code available} is false
 * @param registration for process-wide fences; null where this machine has none
 */
record NativeSupport(boolean available, OsCalls calls, FenceRegistration registration) {
    /** The class of virtual threads; null before JDK 21. */
    private static final Class<?> VIRTUAL = virtualThreads();

    private static Class<?> virtualThreads() {
        try {
            return Class.forName("java.lang.VirtualThread", false, null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    static NativeSupport of(Options options) {
        boolean available = !options.text(Option.OS).equals("off") && Os.available();
        OsCalls calls = available ? Os.calls() : Os.none();
        FenceRegistration registration = null;
        if (FenceEverywhere.isKnown(calls)) {
            registration = new FenceRegistration(calls);
            registration.begin();
        }
        return new NativeSupport(available, calls, registration);
    }

    /** Another rank's process-wide fence reaches this process, at the latest after {@link #awaitFenced}. */
    boolean isFenced() {
        return registration != null;
    }

    void awaitFenced(long timeoutMs) {
        if (registration != null) {
            registration.await(timeoutMs);
        }
    }

    /** Fences for a job in which every rank {@link #isFenced}. */
    Fences fences() {
        return Fences.asymmetric(new FenceEverywhere(calls));
    }

    /** @param homeCore where a yielding rank belongs, or {@link HomeCore#NONE} */
    Sleeper sleeper(int homeCore) {
        return available ? new FutexSleeper(calls, new HomeCore(calls, homeCore)) : Sleeper.napping();
    }

    /** What senders do to wake a rank; null where it looks by itself. */
    WaitWord.Waker waker() {
        return available ? new FutexWaker(calls) : null;
    }

    private record FutexSleeper(OsCalls calls, HomeCore home) implements Sleeper {
        @Override
        public void sleep(WaitWord word, int sequence, long nanos) {
            calls.futexWait(word.futexAddress(), sequence, nanos);
        }

        @Override
        public void yieldCore() {
            // A virtual thread yields its carrier, which only the JVM can do.
            if (Thread.currentThread().getClass() == VIRTUAL || calls.schedYield() != 0) {
                Thread.yield();
            } else {
                home.afterYield();
            }
        }

        @Override
        public void nap() {
            Sleeper.super.nap();
            if (Thread.currentThread().getClass() != VIRTUAL) {
                home.afterYield();
            }
        }
    }
}
