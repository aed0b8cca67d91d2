package org.sluice.hybrid.route;

import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * Finds out whether messages of like size of one peer come faster when this rank reads them or when the peer streams
 * them, where the channel can't know: tries both, keeps to the better one for a while, and for longer each time that it
 * stays the better one.
 *
 * <p>Messages that are on the way at one time are one try: they go the same way and share its time, from the first
 * match to the last byte, which is what the receiver waits. Each way's best try counts: in others the sender may have
 * been busy elsewhere.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code FasterWayTest}.
 */
public final class FasterWay {
    /** Half of them each way. */
    public static final int TRIES = 8;
    /** How many then go the better way until both are tried again, at first. */
    public static final int KEPT = 24;
    /**
     * At most. A host moves its machines' cores apart, and together again, without a word: then the other way is the
     * better one, and so long it is not taken.
     */
    public static final int KEPT_MOST = KEPT << 6;
    /** Nor for more bytes than this, which take a tenth of a second or two: of huge messages, fewer are kept to it. */
    static final long KEPT_MOST_BYTES = 512 << 20;
    /**
     * What this rank has to have been streamed before its stream is as fast as it will be: it is 16384 pieces of Java
     * at both ends where the kernel's copy is one call. Until then an eighth of all goes that way.
     */
    public static final long WARM_BYTES = 256 << 20;

    private static final int SMALLEST_CLASS = 14;
    /** From 16 KB to 2 GB and more, one for each power of two. */
    public static final int CLASSES = 18;

    /** So that a test can say what took how long. */
    public interface Clock {
        long nanos();
    }

    public static final Clock SYSTEM = new Clock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };

    /** What was streamed to this rank, by whatever peer and in messages of whatever size: of all its ways. */
    public static final class Warmth {
        private long streamed;

        public void streamed(long bytes) {
            streamed += bytes;
        }

        private boolean isCold() {
            return streamed < WARM_BYTES;
        }
    }

    private final Clock clock;
    private final Counters counters;
    private final Warmth warmth;
    private final int most;
    private int tries;
    /** How many go the better way; 0 before the first tries. */
    private int kept;

    private boolean isStreamBetter;
    /** Of the try that goes on: messages on the way, since when, and what all of them have brought. */
    private int messages;

    private long since;
    private long bytes;
    /** Its time says nothing of its way. */
    private boolean isSpoiled;

    private double leastStreaming = Double.POSITIVE_INFINITY;
    private double leastReading = Double.POSITIVE_INFINITY;

    /** @param size a {@link #sizeClass} */
    public FasterWay(Clock clock, Counters counters, Warmth warmth, int size) {
        this.clock = clock;
        this.counters = counters;
        this.warmth = warmth;
        this.most = most(size);
    }

    /** How many messages of that size class go the better way at most until both are tried again. */
    public static int most(int size) {
        return (int) Math.max(KEPT, Math.min(KEPT_MOST, KEPT_MOST_BYTES >> SMALLEST_CLASS + size));
    }

    /** Which of a peer's ways is for messages of this length. */
    public static int sizeClass(long bytes) {
        int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes | 1);
        return Math.max(0, Math.min(CLASSES - 1, bits - SMALLEST_CLASS));
    }

    /**
     * A message was matched that could go both ways.
     *
     * @return whether it is to be streamed
     */
    public boolean begin() {
        if (messages++ == 0) {
            bytes = 0;
            isSpoiled = false;
            since = tries < TRIES ? clock.nanos() : 0;
        }
        return isStreaming();
    }

    /**
     * First the tries of the stream, then those of reading: the first after a change finds caches that are full of what
     * the other way needs.
     */
    private boolean isStreaming() {
        return tries >= TRIES ? isStreamBetter : tries < TRIES / 2;
    }

    /** What goes on did not go as it was to, or not all of it. */
    public void spoil() {
        isSpoiled = true;
    }

    /** A message is over that {@link #begin} was told of. What is to come may go another way only when none is left. */
    public void end(long brought) {
        bytes += brought;
        if (--messages > 0) {
            return;
        }
        if (isStreaming()) {
            warmth.streamed(bytes);
        }
        if (tries < TRIES) {
            note(isSpoiled || bytes == 0 ? Double.POSITIVE_INFINITY : (double) (clock.nanos() - since) / bytes);
        }
        tries++;
        if (tries == TRIES) {
            choose();
        } else if (tries == TRIES + kept) {
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

    private void choose() {
        boolean wasStreamBetter = isStreamBetter;
        isStreamBetter = leastStreaming <= leastReading;
        boolean isSettled = kept > 0 && wasStreamBetter == isStreamBetter && !warmth.isCold();
        kept = isSettled ? Math.min(2 * kept, most) : KEPT;
        counters.increment(isStreamBetter ? Counter.STREAM_CHOSEN : Counter.GET_CHOSEN);
    }
}
