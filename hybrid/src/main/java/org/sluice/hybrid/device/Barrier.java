package org.sluice.hybrid.device;

import java.util.concurrent.locks.ReentrantLock;
import org.sluice.device.Status;
import org.sluice.hybrid.route.Route;

/**
 * Dissemination barrier (Hensgen, Finkel, Manber 1988): in round k each rank tells the one 2^k ahead and hears from the one 2^k behind.
 *
 * <p><i>Thread</i>: one barrier at a time per device; a second caller waits for its turn, as its messages would mix with the first's.
 */
final class Barrier {
    /** A message space that no program can name. */
    private static final int CONTEXT_ID = -1;

    private final int rank;
    private final int size;
    private final ReentrantLock turn = new ReentrantLock();
    private final Status status = new Status();

    Barrier(int rank, int size) {
        this.rank = rank;
        this.size = size;
    }

    void await(SendCalls sends, ReceiveCalls receives, Route[] routes) {
        turn.lock();
        try {
            for (int distance = 1, round = 0; distance < size; distance <<= 1, round++) {
                sends.send(routes[(rank + distance) % size], null, 0, 0, round, CONTEXT_ID);
                receives.recv(null, 0, 0, Math.floorMod(rank - distance, size), round, CONTEXT_ID, status);
            }
        } finally {
            turn.unlock();
        }
    }
}
