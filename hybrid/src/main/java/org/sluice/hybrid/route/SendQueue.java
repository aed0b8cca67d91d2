package org.sluice.hybrid.route;

import java.util.List;

/**
 * Sends in the order in which they go. Linked through the operations themselves: what waits allocates nothing.
 *
 * <p><i>Thread</i>: under the route's send lock. <i>Fails</i>: never. <i>Proof</i>: {@code SendQueueTest}.
 */
final class SendQueue {
    private SendOperation first;
    private SendOperation last;
    private int size;

    /** @param operation one that is in no queue */
    void add(SendOperation operation) {
        if (last == null) {
            first = operation;
        } else {
            last.next = operation;
        }
        last = operation;
        size++;
    }

    /** The others follow as {@link SendOperation#next}; null when there is none. */
    SendOperation first() {
        return first;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return first == null;
    }

    void removeFirst() {
        takeOut(null, first);
    }

    /** @return false when it isn't here */
    boolean remove(SendOperation operation) {
        SendOperation before = null;
        for (SendOperation each = first; each != null; each = each.next) {
            if (each == operation) {
                takeOut(before, each);
                return true;
            }
            before = each;
        }
        return false;
    }

    private void takeOut(SendOperation before, SendOperation operation) {
        if (before == null) {
            first = operation.next;
        } else {
            before.next = operation.next;
        }
        last = last == operation ? before : last;
        operation.next = null;
        size--;
    }

    /**
     * Empties it.
     *
     * @param into takes them in their order
     */
    void drainTo(List<SendOperation> into) {
        while (first != null) {
            into.add(first);
            removeFirst();
        }
    }
}
