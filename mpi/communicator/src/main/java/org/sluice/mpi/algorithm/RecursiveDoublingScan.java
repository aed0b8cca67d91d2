package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Ranks exchange the fold of a growing neighbourhood; those that are higher add it to their result: log n rounds.
 * Operands stay in the order of ranks.
 */
public final class RecursiveDoublingScan implements Algorithm {
    private final boolean exclusive;

    /** @param exclusive whether a rank's result leaves out its own contribution */
    public RecursiveDoublingScan(boolean exclusive) {
        this.exclusive = exclusive;
    }

    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        long bytes = shape.bytes();
        int partial = Schedule.TEMP;
        int incoming = Schedule.TEMP + 1;
        schedule.reserve(partial, bytes);
        schedule.reserve(incoming, bytes);
        schedule.copy(Schedule.SEND, 0, partial, 0, bytes);
        if (!exclusive && !shape.isInPlace()) {
            schedule.copy(Schedule.SEND, 0, Schedule.RECEIVE, 0, bytes);
        }
        schedule.endRound();
        boolean hasResult = !exclusive;
        for (int mask = 1; mask < shape.size(); mask <<= 1) {
            int peer = rank ^ mask;
            if (peer >= shape.size()) {
                continue;
            }
            schedule.send(peer, partial, 0, bytes);
            schedule.receive(peer, incoming, 0, bytes);
            if (peer < rank) {
                if (hasResult) {
                    schedule.reduce(incoming, 0, Schedule.RECEIVE, 0, bytes);
                } else {
                    schedule.copy(incoming, 0, Schedule.RECEIVE, 0, bytes);
                    hasResult = true;
                }
                schedule.reduce(incoming, 0, partial, 0, bytes);
            } else {
                schedule.reduce(partial, 0, incoming, 0, bytes);
                int before = partial;
                partial = incoming;
                incoming = before;
            }
            schedule.endRound();
        }
    }
}
