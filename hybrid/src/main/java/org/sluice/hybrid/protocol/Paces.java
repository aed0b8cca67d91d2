package org.sluice.hybrid.protocol;

import java.util.function.LongSupplier;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Pacing;

/**
 * How often each channel is polled whose polls are costly (docs/project/adr/0054): in every round while it brings
 * something or nothing else does; while others bring more, after twice as many rounds each time that it had nothing.
 *
 * <p>Rounds may take as long as the program likes, where each is a call of its own. So one is put off by
 * {@link #MOST_ROUNDS} rounds at most, and by {@link #ROUNDS_PER_CLOCK} where these took more than {@link #MOST_NANOS}.
 * <i>Thread</i>: under the progress lock. <i>Proof</i>: {@code ChannelsTest}.
 */
final class Paces {
    /**
     * Between two polls of one channel; and rounds without anything from the others, after which they count as quiet.
     */
    static final int MOST_ROUNDS = 64;

    static final long MOST_NANOS = 20_000;
    static final int ROUNDS_PER_CLOCK = 8;

    /** Null for the system's: a lambda for that would be one more class to make while a device opens. */
    private final LongSupplier clock;
    /** By channel; null where a poll costs nothing. */
    private final Pace[] paces;

    private long round;
    /** The last in which a channel that is always polled brought something. */
    private long broughtRound = -MOST_ROUNDS;

    private static final class Pace {
        /** Rounds from one poll to the next. */
        private int interval = 1;

        private final Pacing pacing;

        private long polledRound;
        private long polledNanos;

        private Pace(Pacing pacing) {
            this.pacing = pacing;
        }
    }

    private Paces(Channel[] channels, LongSupplier clock) {
        this.clock = clock;
        this.paces = new Pace[channels.length];
        for (int i = 0; i < paces.length; i++) {
            Pacing pacing = channels[i].pacing();
            paces[i] = pacing != null ? new Pace(pacing) : null;
        }
    }

    /** @return null where all are polled in every round */
    static Paces of(Channel[] channels, LongSupplier clock) {
        for (Channel channel : channels) {
            if (channels.length > 1 && channel.pacing() != null) {
                return new Paces(channels, clock);
            }
        }
        return null;
    }

    /**
     * A round begins.
     *
     * @return the channel that it begins with: {@code next}, or one that was put off and may wait no longer
     */
    int begin(int next) {
        round++;
        for (int i = 0; i < paces.length; i++) {
            if (paces[i] != null && paces[i].interval > 1 && isDue(paces[i])) {
                return i;
            }
        }
        return next;
    }

    private boolean isDue(Pace pace) {
        return round - pace.polledRound >= pace.interval;
    }

    boolean isDue(int at) {
        Pace pace = paces[at];
        if (pace != null && pace.interval > 1 && (pace.pacing.wantsPoll() || isLate(pace))) {
            pace.interval = 1;
        }
        return pace == null || isDue(pace);
    }

    /** Asked now and then, as the clock is: rounds that were short when the interval grew may be long now. */
    private boolean isLate(Pace pace) {
        return (round - pace.polledRound) % ROUNDS_PER_CLOCK == 0 && nanos() - pace.polledNanos > MOST_NANOS;
    }

    private long nanos() {
        return clock == null ? System.nanoTime() : clock.getAsLong();
    }

    /**
     * A channel was polled.
     *
     * @param brought how much
     */
    void polled(int at, int brought) {
        Pace pace = paces[at];
        if (pace == null) {
            broughtRound = brought != 0 ? round : broughtRound;
            return;
        }
        pace.polledRound = round;
        if (brought != 0 || round - broughtRound >= MOST_ROUNDS) {
            pace.interval = 1;
        } else {
            long now = nanos();
            pace.interval = now - pace.polledNanos > MOST_NANOS ? 1 : Math.min(2 * pace.interval, MOST_ROUNDS);
            pace.polledNanos = now;
        }
    }

    /** The next round polls all. */
    void reset() {
        for (Pace pace : paces) {
            if (pace != null) {
                pace.interval = 1;
            }
        }
    }
}
