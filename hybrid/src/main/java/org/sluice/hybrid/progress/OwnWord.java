package org.sluice.hybrid.progress;

import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;

/**
 * This rank's own wait word, whose page somebody may have taken away by cutting the segment short: the error is caught
 * where the word is touched, because one that surfaces while a thread sleeps or changes the lead would leave everybody
 * waiting.
 */
final class OwnWord {
    /** No sequence of a word, which has 32 bits. */
    static final long GONE = Long.MIN_VALUE;

    private OwnWord() {}

    /** @return the word's sequence from before senders were asked to ring, or {@link #GONE} after the duty was told */
    static long announceSleep(WaitWord word, Duty duty) {
        try {
            int sequence = word.sequence();
            word.announceSleep();
            Memory.settle();
            return sequence;
        } catch (InternalError e) {
            duty.fail(e);
            return GONE;
        }
    }

    static void awake(WaitWord word, Duty duty) {
        try {
            word.awake();
            Memory.settle();
        } catch (InternalError e) {
            duty.fail(e);
        }
    }

    /**
     * Without effect where the page is gone: who sleeps there wakes by itself within its longest sleep, and finds that
     * out.
     */
    static void ring(WaitWord word) {
        try {
            word.ring();
        } catch (InternalError e) {
            return;
        }
    }
}
