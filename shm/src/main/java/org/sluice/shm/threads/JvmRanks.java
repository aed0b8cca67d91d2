package org.sluice.shm.threads;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * Where ranks of one JVM find each other: the only static state of Sluice.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: nothing; channels are held weakly, and a job's entry goes when its last rank here
 * closes or is collected. <i>Fails</i>: a rank that is open twice in one job is an {@link IllegalStateException}.
 * <i>Proof</i>: {@code ThreadChannelTest}.
 */
final class JvmRanks {
    private static final JvmRanks OF_THIS_JVM = new JvmRanks();

    private final Map<String, Map<Integer, WeakReference<ThreadChannel>>> jobs = new HashMap<>();

    static JvmRanks ofThisJvm() {
        return OF_THIS_JVM;
    }

    synchronized void register(String jobId, int rank, ThreadChannel channel) {
        jobs.values().removeIf(ranks -> ranks.values().stream().allMatch(JvmRanks::isGone));
        Map<Integer, WeakReference<ThreadChannel>> ranks = jobs.computeIfAbsent(jobId, id -> new HashMap<>());
        WeakReference<ThreadChannel> before = ranks.get(rank);
        if (before != null && !isGone(before)) {
            throw new IllegalStateException("rank " + rank + " of job " + jobId
                    + " is open in this JVM already: close it first");
        }
        ranks.put(rank, new WeakReference<>(channel));
    }

    private static boolean isGone(WeakReference<ThreadChannel> reference) {
        ThreadChannel channel = reference.get();
        return channel == null || channel.isClosed();
    }

    /** The rank's channel, closed ones included while others of the job are open; null when it never opened. */
    synchronized ThreadChannel find(String jobId, int rank) {
        Map<Integer, WeakReference<ThreadChannel>> ranks = jobs.get(jobId);
        WeakReference<ThreadChannel> reference = ranks == null ? null : ranks.get(rank);
        return reference == null ? null : reference.get();
    }

    /** After the rank closed. */
    synchronized void unregister(String jobId) {
        Map<Integer, WeakReference<ThreadChannel>> ranks = jobs.get(jobId);
        if (ranks != null && ranks.values().stream().allMatch(JvmRanks::isGone)) {
            jobs.remove(jobId);
        }
    }

    /** Jobs that have an entry; for tests. */
    synchronized int size() {
        return jobs.size();
    }
}
