package org.sluice.hybrid.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * The connections of a {@link JobServer}, oldest first: two for each rank, its own and the life line of its JVM, and room for strangers. A
 * stranger is who has not said hello yet, or was refused. Anybody on the machine can be one, so strangers never take a rank's place: where
 * there is no room left the oldest of them goes, and a rank, which says hello at once, is a stranger for a moment only.
 *
 * <p>Thread: the server's only.
 * <p>Owns: the connections, until they are removed.
 * <p>Proof: {@code JobServerTest}.
 */
final class JobConnections {
    /** Connections beside those of the ranks; also how many may wait to be accepted. */
    static final int SPARE = 64;

    private final List<JobConnection> open = new ArrayList<>();
    private final long most;

    JobConnections(int size) {
        most = 2L * size + SPARE;
    }

    boolean isFull() {
        return open.size() >= most;
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

    /** The one that has been one for longest, or null when all are ranks and life lines. */
    JobConnection oldestStranger() {
        for (JobConnection connection : open) {
            if (connection.isStranger()) {
                return connection;
            }
        }
        return null;
    }

    /** Those whose time to say hello, or to go, is over. */
    List<JobConnection> overdue(long now) {
        List<JobConnection> overdue = new ArrayList<>();
        for (JobConnection connection : open) {
            if (connection.isStranger() && connection.deadlineNanos - now < 0) {
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

    /** The job is over: what ranks that still run would leave behind is removed for them. */
    void closeAll() {
        for (JobConnection connection : open) {
            connection.close();
            connection.removeLeftOver();
        }
    }
}
