package org.sluice.hybrid.route;

import java.util.ArrayDeque;
import org.sluice.hybrid.lock.BiasedLock;

/**
 * Operations of a route that are over and serve again, so that a send costs no new one. <i>Thread</i>: any; takes and
 * leaves the route's send lock.
 */
final class OperationPool {
    private static final int MOST = 64;

    private final ArrayDeque<SendOperation> free = new ArrayDeque<>(MOST);
    private final BiasedLock lock;
    private final int peer;

    OperationPool(BiasedLock lock, int peer) {
        this.lock = lock;
        this.peer = peer;
    }

    SendOperation take() {
        lock.lock();
        try {
            SendOperation operation = free.pollLast();
            return operation == null ? new SendOperation(peer) : operation;
        } finally {
            lock.unlock();
        }
    }

    /** @param operation was cleared */
    void give(SendOperation operation) {
        lock.lock();
        try {
            if (free.size() < MOST) {
                free.addLast(operation);
            }
        } finally {
            lock.unlock();
        }
    }
}
