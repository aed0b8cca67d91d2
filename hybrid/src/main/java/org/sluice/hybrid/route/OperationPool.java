package org.sluice.hybrid.route;

import java.util.ArrayDeque;

/** Operations of a route that are over and serve again, so that a send costs no new one. <i>Thread</i>: under the route's send lock. */
final class OperationPool {
    private static final int MOST = 64;

    private final ArrayDeque<SendOperation> free = new ArrayDeque<>(MOST);

    SendOperation take() {
        SendOperation operation = free.pollLast();
        return operation == null ? new SendOperation() : operation;
    }

    /** @param operation was cleared */
    void give(SendOperation operation) {
        if (free.size() < MOST) {
            free.addLast(operation);
        }
    }
}
