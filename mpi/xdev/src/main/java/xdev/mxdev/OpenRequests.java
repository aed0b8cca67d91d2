package xdev.mxdev;

import java.util.concurrent.locks.LockSupport;
import org.sluice.device.Request;
import org.sluice.device.layer.Layer;

/**
 * Requests that nobody has waited for: what a peek looks through.
 *
 * <p><i>Thread</i>: any.
 */
final class OpenRequests {
    /** After so long a peek looks what other threads have begun meanwhile. */
    private static final long TURN_NANOS = 5_000_000;

    private static final long NAP_NANOS = 200_000;

    private Pending first;
    private int count;

    synchronized void add(Pending pending) {
        pending.next = first;
        if (first != null) {
            first.previous = pending;
        }
        first = pending;
        pending.isListed = true;
        count++;
    }

    /** @return false if it isn't listed */
    synchronized boolean remove(Pending pending) {
        if (!pending.isListed) {
            return false;
        }
        if (pending.previous == null) {
            first = pending.next;
        } else {
            pending.previous.next = pending.next;
        }
        if (pending.next != null) {
            pending.next.previous = pending.previous;
        }
        pending.previous = null;
        pending.next = null;
        pending.isListed = false;
        count--;
        return true;
    }

    private synchronized Pending[] all() {
        Pending[] all = new Pending[count];
        int at = count;
        // The newest is the first.
        for (Pending pending = first; pending != null; pending = pending.next) {
            all[--at] = pending;
        }
        return all;
    }

    /** Waits until one is over, and takes it off the list. */
    Pending peek(Layer layer) {
        while (true) {
            Pending[] all = all();
            Request[] requests = new Request[all.length];
            for (int i = 0; i < all.length; i++) {
                requests[i] = all[i].request();
            }
            int over = layer.waitAny(TURN_NANOS, requests);
            if (over >= 0 && remove(all[over])) {
                return all[over];
            }
            if (all.length == 0) {
                layer.device().progress();
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }
}
