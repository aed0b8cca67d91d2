package org.sluice.mpi.cell;

import java.util.function.LongSupplier;

/**
 * Whether calls of one collective, with blocks of like size, go in cells or as messages: tries both, and keeps to the
 * faster one for a while, and for longer each time that it stays the faster one. Which it is depends on how far the
 * ranks' cores are from each other, and machines whose hosts move their cores change that while a job runs: calls that
 * take longer or less long than when it was found out have both tried anew.
 *
 * <p>For two ranks, each of which has a core: where ranks take turns on cores, the least time says little.
 *
 * <p>All ranks go the same way, as they count the same calls, and decide by numbers that all have alike: of each way
 * the least time that any rank's call took. In other calls somebody waited for a rank that came late.
 *
 * <p><i>Thread</i>: one of each rank. <i>Proof</i>: {@code FasterFormTest}.
 */
public final class FasterForm {
    /** How long the calls that are kept to the better way take back to back: at first, and at most. */
    static final long KEPT_NANOS = 50_000_000;

    static final long KEPT_NANOS_MOST = 2_000_000_000;
    /** At least so many calls are kept to it, and at most: what calls now and then must not stay with it for hours. */
    static final int KEPT = 64;

    static final int KEPT_MOST = 20_000;

    /**
     * What has to have gone each way before it is as fast as it will be: the loops that move bytes are compiled anew
     * until then, and a way that is tried now and then alone would stay the slower one for seconds.
     */
    static final long WARM_BYTES = 256 << 20;
    /** Until then so many times its tries are kept to the better way, so that the other one gets warm, too. */
    static final int KEPT_COLD = 14;

    /** Trials that there could be between two looks whether calls take what they took: at first, and at most. */
    private static final int LOOKED = 1;

    private static final int LOOKED_MOST = 16;
    /** The shortest of some calls takes thirteen tenths, or ten thirteenths, of what it took if cores were moved. */
    private static final long CHANGED = 13;

    private static final long SAME = 10;

    private static final int TRIES = 8;
    /** Each way has to be tried until it has been through all of its memory some times, which is cold at first. */
    private static final long BYTES_TRIED = 3 << 20;

    private static final int SMALLEST_CLASS = 14;
    /** From 16 KB to 4 MB and more, one for each power of two. */
    public static final int CLASSES = 9;

    /**
     * What went each way, in blocks of whatever size: of all forms of a communicator, and the same at all its ranks.
     */
    public static final class Warmth {
        private long inCells;
        private long asMessages;

        private void went(boolean wentInCells, long bytes) {
            if (wentInCells) {
                inCells += bytes;
            } else {
                asMessages += bytes;
            }
        }

        private boolean isCold() {
            return Math.min(inCells, asMessages) < WARM_BYTES;
        }
    }

    private final LongSupplier clock;
    private final Warmth warmth;
    /** The shortest block of its class. */
    private final long bytes;

    private final int tries;
    /** Tries, or calls that are kept to a way. */
    private int counted;

    private boolean isKept;
    /** Both are tried anew as calls took another time. */
    private boolean isAnew;

    private boolean isInCells = true;
    /** What the shortest call took when it was chosen, and since the last look. */
    private long chosenNanos;

    private long shortest = Long.MAX_VALUE;
    /** How many calls were kept by the last look, and how many more are until the next. */
    private int lookedAt;

    private int looked;
    private int kept;
    private long keptNanos = KEPT_NANOS;
    private long since;
    /** Of the call that goes on. */
    private long begunBytes;
    /** Of calls in cells, and as messages, as if each were of the shortest block of the class. */
    private final long[] least = {Long.MAX_VALUE, Long.MAX_VALUE};

    /** @param sizeClass a {@link #sizeClass} */
    public FasterForm(LongSupplier clock, Warmth warmth, int sizeClass) {
        this.clock = clock;
        this.warmth = warmth;
        this.bytes = 1L << SMALLEST_CLASS + sizeClass;
        this.tries = (int) Math.max(TRIES, BYTES_TRIED / bytes);
        this.looked = LOOKED * calls();
    }

    /** Of a trial. */
    private int calls() {
        return 2 * tries;
    }

    /** Which form is for blocks of this length. */
    public static int sizeClass(long bytes) {
        int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes | 1);
        return Math.max(0, Math.min(CLASSES - 1, bits - SMALLEST_CLASS));
    }

    /** Whether {@link #choose} is to be called before the next call begins. */
    public boolean isToAgree() {
        return isKept ? counted - lookedAt >= looked && !warmth.isCold() : counted == calls();
    }

    boolean isKept() {
        return isKept;
    }

    /** Gives this rank's least times, in ns: of cells, and of messages; of what it is kept to in both places. */
    public void least(long[] into) {
        into[0] = isKept ? shortest : least[0];
        into[1] = isKept ? shortest : least[1];
    }

    /** @param agreed the least of all ranks' {@link #least}, the same at all of them */
    public void choose(long[] agreed) {
        if (isKept) {
            look(agreed[0]);
            return;
        }
        boolean wasInCells = isInCells;
        isInCells = agreed[0] <= agreed[1];
        chosenNanos = Math.min(agreed[0], agreed[1]);
        boolean isSame = wasInCells == isInCells;
        if (isAnew) {
            // Whatever it told: times that change all the time must not have it tried all the time.
            looked = Math.min(2 * looked, LOOKED_MOST * calls());
        }
        boolean isCold = warmth.isCold();
        if (isCold || !isSame) {
            keptNanos = KEPT_NANOS;
        } else if (!isAnew) {
            looked = LOOKED * calls();
            keptNanos = Math.min(2 * keptNanos, KEPT_NANOS_MOST);
        }
        long calls = keptNanos / Math.max(1, chosenNanos);
        kept = isCold ? KEPT_COLD * tries : (int) Math.max(KEPT, Math.min(KEPT_MOST, calls));
        isKept = true;
        isAnew = false;
        lookedAt = 0;
        shortest = Long.MAX_VALUE;
        counted = 0;
    }

    private void look(long nanos) {
        lookedAt = counted;
        shortest = Long.MAX_VALUE;
        if (SAME * nanos > CHANGED * chosenNanos || CHANGED * nanos < SAME * chosenNanos) {
            isAnew = true;
            tryBoth();
        }
    }

    private void tryBoth() {
        isKept = false;
        counted = 0;
        least[0] = Long.MAX_VALUE;
        least[1] = Long.MAX_VALUE;
    }

    /**
     * A call begins.
     *
     * @param newBytes of one rank's block
     * @return whether it goes in cells
     */
    public boolean begin(long newBytes) {
        begunBytes = newBytes;
        since = clock.getAsLong();
        return goesInCells();
    }

    private boolean goesInCells() {
        return isKept ? isInCells : counted < tries;
    }

    /** The call that was begun last is over. */
    public void end() {
        warmth.went(goesInCells(), bytes);
        // Blocks of a class differ by a factor of two, and what they take does, too.
        long nanos = (clock.getAsLong() - since) * bytes / Math.max(bytes, begunBytes);
        if (isKept) {
            shortest = Math.min(shortest, nanos);
            if (++counted == kept) {
                tryBoth();
            }
        } else {
            int way = goesInCells() ? 0 : 1;
            least[way] = Math.min(least[way], nanos);
            counted++;
        }
    }
}
