package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * In round k each rank hands on to the one 2^k ahead what has so far to go (Bruck and others 1997): log n rounds, in
 * which every byte goes log n / 2 times, for small blocks of one size.
 */
public final class BruckAllToAll implements Algorithm {
    /** By how far they have to go. */
    private static final int TURNED = Schedule.TEMP;
    /** What leaves in a round, and behind it what comes. */
    private static final int PACKED = Schedule.TEMP + 1;

    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        int size = shape.size();
        long block = shape.send().bytes(rank);
        int half = size / 2;
        schedule.reserve(TURNED, size * block);
        schedule.reserve(PACKED, 2 * half * block);
        schedule.copy(Schedule.SEND, rank * block, TURNED, 0, (size - rank) * block);
        schedule.copy(Schedule.SEND, 0, TURNED, (size - rank) * block, rank * block);
        for (int distance = 1; distance < size; distance <<= 1) {
            long packed = 0;
            for (int first = distance; first < size; first += 2 * distance) {
                long run = Math.min(distance, size - first) * block;
                schedule.copy(TURNED, first * block, PACKED, packed, run);
                packed += run;
            }
            schedule.endRound();
            schedule.send(shape.ahead(distance), PACKED, 0, packed);
            schedule.receive(shape.behind(distance), PACKED, half * block, packed);
            long came = half * block;
            for (int first = distance; first < size; first += 2 * distance) {
                long run = Math.min(distance, size - first) * block;
                schedule.copy(PACKED, came, TURNED, first * block, run);
                came += run;
            }
        }
        for (int distance = 0; distance < size; distance++) {
            schedule.copy(TURNED, distance * block, Schedule.RECEIVE, shape.behind(distance) * block, block);
        }
        schedule.endRound();
    }
}
