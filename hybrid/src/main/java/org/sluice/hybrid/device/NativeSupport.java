package org.sluice.hybrid.device;

import org.sluice.device.channel.Fences;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.jni.Errno;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.segment.FutexWaker;

/**
 * The native calls that one device may use, and how it sleeps and wakes with them; without them it looks at the wait word now and then.
 *
 * @param calls all of them return -ENOSYS where {@code available} is false
 * @param isFenced another rank's process-wide fence reaches this process
 */
record NativeSupport(boolean available, OsCalls calls, boolean isFenced) {
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
        return new NativeSupport(available, calls, calls.membarrier(OsCalls.MEMBARRIER_REGISTER_GLOBAL_EXPEDITED) == 0);
    }

    /** Fences for a job in which every rank {@link #isFenced}. */
    Fences fences() {
        return Fences.asymmetric(new Everywhere(calls));
    }

    private record Everywhere(OsCalls calls) implements Runnable {
        /** MEMBARRIER_CMD_GLOBAL: slower, and reaches processes that never registered. */
        private static final int GLOBAL = 1;

        @Override
        public void run() {
            int result = calls.membarrier(OsCalls.MEMBARRIER_GLOBAL_EXPEDITED);
            if (result != 0 && calls.membarrier(GLOBAL) != 0) {
                throw new IllegalStateException(Errno.describe("membarrier", result) + ", although this process had registered for it");
            }
        }
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
    }
}
