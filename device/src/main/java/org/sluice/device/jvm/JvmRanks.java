package org.sluice.device.jvm;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Where ranks of one JVM find each other: what is kept for the whole JVM, beside two things of verbs
 * (docs/project/adr/0032).
 *
 * <p>Thread channels meet under the id of their job, segments under the identity of their file, devices under the
 * address of their launcher, and what shows their state under their own.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: nothing; ends are held weakly, and a job's entry goes when its last rank here
 * closes or is collected. <i>Fails</i>: a rank that is open twice in one job is an {@link IllegalStateException}.
 * <i>Proof</i>: {@code ThreadChannelTest}.
 */
public final class JvmRanks {
    private static final JvmRanks OF_THIS_JVM = new JvmRanks();

    private final Map<String, Map<Integer, WeakReference<LocalEnd>>> jobs = new HashMap<>();
    private boolean wasUsed;

    public static JvmRanks ofThisJvm() {
        return OF_THIS_JVM;
    }

    public synchronized void register(String jobId, int rank, LocalEnd end) {
        for (Iterator<Map<Integer, WeakReference<LocalEnd>>> all = jobs.values().iterator(); all.hasNext(); ) {
            if (areGone(all.next())) {
                all.remove();
            }
        }
        Map<Integer, WeakReference<LocalEnd>> ranks = jobs.get(jobId);
        if (ranks == null) {
            ranks = new HashMap<>();
            jobs.put(jobId, ranks);
        }
        WeakReference<LocalEnd> before = ranks.get(rank);
        if (before != null && !isGone(before)) {
            throw new IllegalStateException(
                    "rank " + rank + " of job " + jobId + " is open in this JVM already: close it first");
        }
        ranks.put(rank, new WeakReference<>(end));
        wasUsed = true;
    }

    private static boolean areGone(Map<Integer, WeakReference<LocalEnd>> ranks) {
        for (WeakReference<LocalEnd> rank : ranks.values()) {
            if (!isGone(rank)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isGone(WeakReference<LocalEnd> reference) {
        LocalEnd end = reference.get();
        return end == null || end.isClosed();
    }

    /**
     * The rank's end, closed ones included while others of the job are open; null when it never opened, or was
     * collected.
     */
    public synchronized LocalEnd find(String jobId, int rank) {
        Map<Integer, WeakReference<LocalEnd>> ranks = jobs.get(jobId);
        WeakReference<LocalEnd> reference = ranks == null ? null : ranks.get(rank);
        return reference == null ? null : reference.get();
    }

    /** True once a rank that opened closed, or was dropped and collected; for a rank whose job has others open. */
    public synchronized boolean hasEnded(String jobId, int rank) {
        Map<Integer, WeakReference<LocalEnd>> ranks = jobs.get(jobId);
        WeakReference<LocalEnd> reference = ranks == null ? null : ranks.get(rank);
        return reference != null && isGone(reference);
    }

    /** After the rank closed. */
    public synchronized void unregister(String jobId) {
        Map<Integer, WeakReference<LocalEnd>> ranks = jobs.get(jobId);
        if (ranks != null && areGone(ranks)) {
            jobs.remove(jobId);
        }
    }

    /** All that are open, each once for each name it is registered under. */
    public synchronized List<LocalEnd> open() {
        List<LocalEnd> open = new ArrayList<>();
        for (Map<Integer, WeakReference<LocalEnd>> ranks : jobs.values()) {
            for (WeakReference<LocalEnd> rank : ranks.values()) {
                LocalEnd end = rank.get();
                if (end != null && !end.isClosed()) {
                    open.add(end);
                }
            }
        }
        return open;
    }

    /** Whether anything was ever open. */
    public synchronized boolean wasUsed() {
        return wasUsed;
    }

    /** Jobs that have an entry; for tests. */
    public synchronized int size() {
        return jobs.size();
    }
}
