package org.sluice.launch;

import java.util.BitSet;
import java.util.function.IntConsumer;
import org.sluice.device.SluiceException;

/**
 * What the ranks of a job tell each other before any channel exists: values under keys, exchanged by fences.
 *
 * <p>Thread: one thread puts, fences and gets; {@link #close}, {@link #tellClosing} and what adds listeners from any.
 *
 * <p>Lends: nothing; values are copied in and out.
 *
 * <p>Fails: with {@link SluiceException}; after a failed fence only {@link #close} is of use.
 *
 * <p>Proof: {@code JobServerTest}.
 */
public interface Bootstrap extends AutoCloseable {
    /** Largest key, in bytes of UTF-8. */
    int KEY_LIMIT_BYTES = 256;

    /**
     * Key of the path, in UTF-8, of the segment that this rank is about to make, if that gets a name, and whose name it
     * will remove itself: should the rank die before, the launcher removes it. It removes nothing that is not called as
     * a segment is. No rank gets this value, and a launcher that isn't Sluice's doesn't either.
     */
    String LEFT_OVER = "left-over";

    /** Largest value. */
    int VALUE_LIMIT_BYTES = 1 << 20;

    /**
     * The most that a rank may put between two fences, also where one value replaces another: keys, values, and 16
     * bytes for each pair.
     */
    int FENCE_LIMIT_BYTES = 4 << 20;

    /**
     * Makes a value of this rank visible to all after the next fence; a second value under the same key replaces the
     * first.
     *
     * @throws IllegalArgumentException where key or value is too large, or more was put than may be between two fences
     */
    void put(String key, byte[] value);

    /**
     * Returns when every rank of the job has called it as often as this one has.
     *
     * @param timeoutMs how long to wait for the others, at least 1
     * @throws SluiceException OPEN_FAILED, naming the ranks that did not come, or that died or closed before; TIMEOUT,
     *     when the launcher itself does not answer
     */
    void fence(long timeoutMs);

    /** What {@code rank} had put under {@code key} before its last fence; null when it put nothing. Local and fast. */
    byte[] get(int rank, String key);

    /**
     * Calls {@code listener} with the number of each rank that died (it went without closing its bootstrap), once a
     * rank, also for those lost before this call. It is called on the bootstrap's thread and must not block.
     */
    void onRankLost(IntConsumer listener);

    /** Whether {@link #onRankLost} hears of every death in a job that goes on: else a rank has to notice by itself. */
    default boolean tellsOfDeaths() {
        return true;
    }

    /**
     * Tells these ranks that this one closes its device, and has never sent anything to them; once, before
     * {@link #close}.
     *
     * @param patienceMs how long to wait for the launcher, which passes it on
     * @param meanwhile what the caller does again and again while it waits, without any lock of the bootstrap's
     * @return false where they may not hear of it: the launcher is another's, or has ended as it may before the job's
     *     last ranks, or doesn't answer
     */
    default boolean tellClosing(BitSet ranks, long patienceMs, Runnable meanwhile) {
        return false;
    }

    /**
     * Calls {@code listener} with the number of each rank that has told this one so, in all else as
     * {@link #onRankLost}.
     */
    default void onRankClosed(IntConsumer listener) {
        // Nobody can be told of.
    }

    /** Keeps an object from being collected until {@link #close}. */
    default void keep(Object device) {
        // Where no thread reads for the rank, nobody asks for it either.
    }

    /**
     * Says goodbye: from now on the end of this process is no death. A launcher that is stopped gets two seconds at
     * most. Closing twice is harmless.
     */
    @Override
    void close();
}
