package org.sluice.launch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * How ranks ended as far as their connections tell: what the status of a process doesn't show.
 *
 * <p>Thread: the {@link JobServer}'s tells, any other asks.
 *
 * <p>Proof: {@code VerdictTest}, {@code LauncherProcessTest}, {@code RankThreadsProcessTest}.
 */
final class RankEnds {
    private final BitSet connected = new BitSet();
    private final BitSet lost = new BitSet();
    private final BitSet over = new BitSet();
    private final BitSet failed = new BitSet();
    private final Map<Integer, Blame> blames = new HashMap<>();
    private final Map<Integer, String> reasons = new HashMap<>();
    /** Why ranks have no device that wanted one. */
    private final Map<Integer, String> unopened = new HashMap<>();

    private IntConsumer failures = rank -> {};
    private final BitSet endedWell = new BitSet();
    private IntConsumer leftOpen = rank -> {};

    /** What a rank that ended so is told, whoever tells it. */
    static String leftOpen(int rank) {
        return "rank " + rank
                + " has ended with its device open, so its peers take it for dead: call MPI.Finalize at the end, or"
                + " close the device that it opened";
    }

    synchronized void opened(int rank) {
        connected.set(rank);
        lost.clear(rank);
        unopened.remove(rank);
    }

    /** @param reason which other rank did what instead of opening one, as a clause */
    synchronized void couldNotOpen(int rank, String reason) {
        unopened.put(rank, reason);
    }

    /** As {@link #couldNotOpen} was told; null where it could, or did not try. */
    synchronized String whyUnopened(int rank) {
        return unopened.get(rank);
    }

    /** @param goodbye that it closed its device */
    synchronized void gone(int rank, boolean goodbye) {
        connected.clear(rank);
        lost.set(rank, !goodbye);
        tellOfLeftOpen(rank);
        notifyAll();
    }

    /** It is a process, whose status was 0; the end of its connection may be seen later. */
    synchronized void processEndedWell(int rank) {
        endedWell.set(rank);
        tellOfLeftOpen(rank);
    }

    private void tellOfLeftOpen(int rank) {
        if (lost.get(rank) && endedWell.get(rank)) {
            endedWell.clear(rank);
            leftOpen.accept(rank);
        }
    }

    /** @param listener hears of each rank whose process ended well but left its device open; may not block */
    synchronized void onLeftOpen(IntConsumer listener) {
        leftOpen = listener;
    }

    /** @param listener hears of each rank that fails while its JVM lives on, before its JVM can end; may not block */
    synchronized void onFailure(IntConsumer listener) {
        failures = listener;
    }

    /**
     * @param blame of the failure that its program ended with; null where there was none, or it came of no other rank's
     *     end
     * @param itFailed and its JVM lives on
     */
    synchronized void lastWord(int rank, Blame blame, boolean itFailed) {
        over.set(rank);
        if (blame != null) {
            blames.put(rank, blame);
        }
        if (itFailed) {
            failed.set(rank);
            failures.accept(rank);
        }
    }

    /** @param reason what it failed of by itself; empty if it hasn't, or doesn't say */
    synchronized void failedOf(int rank, String reason) {
        if (!reason.isEmpty()) {
            reasons.put(rank, reason);
        }
    }

    /** As {@link #failedOf} was told; empty if it was not. */
    synchronized String reason(int rank) {
        return reasons.getOrDefault(rank, "");
    }

    /** Its device was still open when it ended. */
    synchronized boolean wentWithDeviceOpen(int rank) {
        return lost.get(rank);
    }

    /** Its device was open, and its program not at its end, when its JVM ended. */
    synchronized boolean wasCutOff(int rank) {
        return lost.get(rank) && !over.get(rank);
    }

    /** Its program ended well, whatever its JVM did then. */
    synchronized boolean hasReturned(int rank) {
        return over.get(rank) && !failed.get(rank) && !blames.containsKey(rank) && !reasons.containsKey(rank);
    }

    /** They said their last word, all of them. */
    synchronized boolean areOver(int firstRank, int ranks) {
        return over.nextClearBit(firstRank) >= firstRank + ranks;
    }

    /** Those that have not said their last word. */
    synchronized List<Integer> notOver(int firstRank, int ranks) {
        List<Integer> living = new ArrayList<>();
        for (int rank = over.nextClearBit(firstRank); rank < firstRank + ranks; rank = over.nextClearBit(rank + 1)) {
            living.add(rank);
        }
        return living;
    }

    synchronized Blame blame(int rank) {
        return blames.get(rank);
    }

    /** The ends of connections are seen a moment after those of the processes that had them. */
    synchronized void awaitGone(int ranks, long patienceMs) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        long leftMs = patienceMs;
        while (leftMs > 0 && !connected.get(0, ranks).isEmpty()) {
            wait(leftMs);
            leftMs = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
    }
}
