package org.sluice.hybrid.progress;

import org.sluice.device.channel.WaitWord;

/**
 * Whether senders are asked to wake this rank. <i>Thread</i>: under the progress lock. <i>Proof</i>: {@code SleepTest}.
 */
final class Arming {
    private final WaitWord word;
    private final Duty duty;
    private final Rounds rounds;
    private boolean armed;

    Arming(WaitWord word, Duty duty, Rounds rounds) {
        this.word = word;
        this.duty = duty;
        this.rounds = rounds;
    }

    boolean isArmed() {
        return armed;
    }

    void disarm() {
        if (armed) {
            armed = false;
            OwnWord.awake(word, duty);
        }
    }

    /**
     * Asks to be rung, and looks once more.
     *
     * @return the word's sequence from before, or {@link OwnWord#GONE} where there is no sleep
     */
    long arm() {
        long sequence = OwnWord.announceSleep(word, duty);
        if (sequence == OwnWord.GONE) {
            return OwnWord.GONE;
        }
        armed = true;
        duty.arm();
        if (rounds.once() != 0) {
            disarm();
            return OwnWord.GONE;
        }
        return sequence;
    }
}
