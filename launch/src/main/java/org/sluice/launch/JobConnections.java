package org.sluice.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * The connections of a {@link JobServer}, oldest first. Of those who are believed, as they are of the job's user or
 * know its secret: two for each rank, its own and its JVM's, and some more. Who isn't believed yet may be anybody on
 * the network: these have a few places of their own, so that they take none from a rank; where all are taken the oldest
 * of them goes. A rank among them proves who it is at once, and one that had to go comes again.
 *
 * <p>Thread: the server's only.
 *
 * <p>Owns: the connections, until they are removed.
 *
 * <p>Proof: {@code JobServerTest}, {@code StrangersTest}.
 */
final class JobConnections {
    /**
     * Connections beside those of the ranks; as many may wait to be accepted, and as many are there that aren't
     * believed.
     */
    static final int SPARE = 64;

    private final List<JobConnection> open = new ArrayList<>();
    private final long most;

    JobConnections(int size) {
        most = 2L * size + SPARE;
    }

    /** Whether there are as many as may be of those that are believed, or of those that aren't. */
    boolean isFull(boolean believed) {
        long count = 0;
        for (JobConnection connection : open) {
            count += connection.isBelieved == believed ? 1 : 0;
        }
        return count >= (believed ? most : SPARE);
    }

    void add(JobConnection connection) {
        open.add(connection);
    }

    /** @return false when it was removed before */
    boolean remove(JobConnection connection) {
        return open.remove(connection);
    }

    List<JobConnection> all() {
        return List.copyOf(open);
    }

    /** Whether any has still to say hello, or to go. */
    boolean hasNewcomers() {
        for (JobConnection connection : open) {
            if (connection.isNew()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Of those that are believed, or of those that aren't, the one that has been new for longest; null when none is.
     */
    JobConnection oldestNewcomer(boolean believed) {
        for (JobConnection connection : open) {
            if (connection.isNew() && connection.isBelieved == believed) {
                return connection;
            }
        }
        return null;
    }

    /** Those whose time to say hello, or to go, is over. */
    List<JobConnection> overdue(long now) {
        List<JobConnection> overdue = new ArrayList<>();
        for (JobConnection connection : open) {
            if (connection.isNew() && connection.deadlineNanos - now < 0) {
                overdue.add(connection);
            }
        }
        return overdue;
    }

    boolean hasRank(int rank) {
        for (JobConnection connection : open) {
            if (connection.rank == rank && !connection.ending()) {
                return true;
            }
        }
        return false;
    }

    /** The first of these ranks whose JVM has a connection; -1 where none has. */
    int firstWithJvm(int firstRank, int ranks) {
        for (JobConnection connection : open) {
            int first = Math.max(firstRank, connection.firstRank);
            int end = Math.min(firstRank + ranks, connection.firstRank + connection.jvmRanks);
            if (first < end && !connection.ending()) {
                return first;
            }
        }
        return -1;
    }

    /** The job is over: what ranks that still run would leave behind is removed for them. */
    void closeAll() {
        for (JobConnection connection : open) {
            connection.close();
            connection.removeLeftOver();
        }
    }
}
