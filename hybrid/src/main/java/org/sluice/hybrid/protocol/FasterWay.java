package org.sluice.hybrid.protocol;

import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * Finds out whether the messages of one peer come faster when this rank reads them or when the peer streams them, where
 * the channel can't know: tries both by turns, once what the stream runs through is compiled, then keeps to the better
 * one for a while.
 *
 * <p>Messages that are on the way at one time are one try: they go the same way and share its time, from the first
 * match to the last byte, which is what the receiver waits. Each way's best try counts: in others the sender may have
 * been busy elsewhere.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code FasterWayTest}.
 */
final class FasterWay {
    /** Half of them each way. */
    static final int TRIES = 16;
    /**
     * How many then go the better way until both are tried again: where the kernel lets both ranks run on one core a
     * stream takes ten times as long, and that passes.
     */
    static final int KEPT = 4000;
    /**
     * What is streamed before the first try. The stream is 16384 pieces of Java at both ends where the kernel's copy is
     * one call: interpreted it takes a hundred times as long, and after ten thousand pieces still more than it will.
     */
    static final long WARM_BYTES = 256 << 20;

    /** So that a test can say what took how long. */
    interface Clock {
        long nanos();
    }

    static final Clock SYSTEM = new Clock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };

    private final Clock clock;
    private final Counters counters;
    private long streamed;
    private int tries;
    /** Of the try that goes on: messages on the way, since when, and what all of them have brought. */
    private int messages;

    private long since;
    private long bytes;
    /** Its time says nothing of its way. */
    private boolean isSpoiled;

    private double leastStreaming = Double.POSITIVE_INFINITY;
    private double leastReading = Double.POSITIVE_INFINITY;

    FasterWay(Clock clock, Counters counters) {
        this.clock = clock;
        this.counters = counters;
    }

    /**
     * A message was matched that could go both ways.
     *
     * @return whether it is to be streamed
     */
    boolean begin() {
        if (messages++ == 0) {
            bytes = 0;
            isSpoiled = false;
            since = tries < TRIES ? clock.nanos() : 0;
        }
        return isStreaming();
    }

    /** The order is S R R S S R R S: a program that sends two lengths by turns has both of them go both ways. */
    private boolean isStreaming() {
        return tries >= TRIES ? leastStreaming <= leastReading : isCold() || (tries + 1 & 2) == 0;
    }

    private boolean isCold() {
        return streamed < WARM_BYTES;
    }

    /** What goes on did not go as it was to, or not all of it. */
    void spoil() {
        isSpoiled = true;
    }

    /** A message is over that {@link #begin} was told of. What is to come may go another way only when none is left. */
    void end(long brought) {
        bytes += brought;
        if (--messages > 0) {
            return;
        }
        if (isCold()) {
            streamed += bytes;
            return;
        }
        if (tries < TRIES) {
            note(isSpoiled || bytes == 0 ? Double.POSITIVE_INFINITY : (double) (clock.nanos() - since) / bytes);
        }
        tries++;
        if (tries == TRIES) {
            counters.increment(isStreaming() ? Counter.STREAM_CHOSEN : Counter.GET_CHOSEN);
        } else if (tries == TRIES + KEPT) {
            tries = 0;
            leastStreaming = Double.POSITIVE_INFINITY;
            leastReading = Double.POSITIVE_INFINITY;
        }
    }

    private void note(double perByte) {
        if (isStreaming()) {
            leastStreaming = Math.min(leastStreaming, perByte);
        } else {
            leastReading = Math.min(leastReading, perByte);
        }
    }
}
