package org.sluice.hybrid.progress;

import java.util.concurrent.locks.LockSupport;
import org.sluice.device.channel.WaitWord;

/** How the progress thread sleeps on the wait word; natively where that can be had. <i>Thread</i>: the one that sleeps. */
public interface Sleeper {
    /** Sleeps until the word's sequence is no longer {@code sequence}, or {@code nanos} have passed, or for no reason. */
    void sleep(WaitWord word, int sequence, long nanos);

    /**
     * Without the native library: looks at the word now and then. A nap of a millisecond keeps an idle rank under a few percent of a
     * core, and bounds what a message waits.
     */
    static Sleeper napping() {
        return (word, sequence, nanos) -> {
            long nap = 50_000;
            if (word.sequence() == sequence) {
                LockSupport.parkNanos(word, Math.min(nap * 20, nanos));
            }
        };
    }
}
