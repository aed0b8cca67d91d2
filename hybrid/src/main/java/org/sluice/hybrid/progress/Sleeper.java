package org.sluice.hybrid.progress;

import java.util.concurrent.locks.LockSupport;
import org.sluice.device.channel.WaitWord;

/**
 * How a thread sleeps on the wait word, or yields; natively where that can be had. <i>Thread</i>: the one that does.
 */
public interface Sleeper {
    /** A part of what a long message takes over an adapter in software. */
    long NAP_NANOS = 300_000;
    /** How often one who can't be woken looks. */
    long LOOK_NANOS = 1_000_000;

    /**
     * Sleeps until the word's sequence is no longer {@code sequence}, or {@code nanos} have passed, or for no reason.
     */
    void sleep(WaitWord word, int sequence, long nanos);

    /** Gives the core to whoever else can use it. */
    default void yieldCore() {
        Thread.yield();
    }

    /**
     * Leaves the core to others for some hundreds of microseconds. An unpark that ends it is lost for nobody: whoever
     * parks looks first at what it waits for.
     */
    default void nap() {
        if (Thread.currentThread().isInterrupted()) {
            // It would not be parked at all, and the caller keeps its interrupt.
            yieldCore();
        } else {
            LockSupport.parkNanos(this, NAP_NANOS);
        }
    }

    /**
     * Without the native library: looks at the word now and then. A nap of a millisecond keeps an idle rank under a few
     * percent of a core, and bounds what a message waits.
     */
    static Sleeper napping() {
        return (word, sequence, nanos) -> {
            if (word.sequence() == sequence) {
                LockSupport.parkNanos(word, Math.min(LOOK_NANOS, nanos));
                // The thread is the device's own: an interrupt means nothing to it, and would end every later nap at
                // once.
                Thread.interrupted();
            }
        };
    }
}
