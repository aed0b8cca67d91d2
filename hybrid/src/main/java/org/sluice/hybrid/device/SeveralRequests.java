package org.sluice.hybrid.device;

import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.hybrid.request.AnyOf;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Waiting;

/**
 * Waits for several requests of one device. A caller makes progress on that device only, so a request of another might
 * never complete: it is refused, as is one that isn't Sluice's. Nulls are skipped.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: IllegalArgumentException before it waits for any. <i>Proof</i>:
 * {@code RequestCases}, {@code ArgumentCases}.
 */
final class SeveralRequests {
    private final Waiting waiting;
    private final int rank;

    SeveralRequests(Waiting waiting, int rank) {
        this.waiting = waiting;
        this.rank = rank;
    }

    /** Waits for every one, then throws the first failure. */
    void waitAll(Request[] requests) {
        for (int i = 0; i < requests.length; i++) {
            own(requests, i);
        }
        SluiceException first = null;
        Status status = new Status();
        for (Request request : requests) {
            if (request != null) {
                try {
                    request.waitFor(status);
                } catch (SluiceException e) {
                    first = first == null ? e : first;
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** @return which one has completed, well or badly; -1 when there is none to wait for */
    int waitAny(Request[] requests) {
        AnyOf any = anyOf(requests);
        if (any.isEmpty()) {
            return -1;
        }
        waiting.await(any, Waiting.FOREVER);
        return any.firstReached(0);
    }

    /** As above, but waits no longer than so. @return -1 also when the time was up */
    int waitAny(long timeoutNanos, Request[] requests) {
        AnyOf any = anyOf(requests);
        if (any.isEmpty()) {
            return -1;
        }
        return waiting.await(any, Waiting.deadline(timeoutNanos)) ? any.firstReached(0) : -1;
    }

    /** @return which have completed, one at least where there is one to wait for */
    int[] waitSome(Request[] requests) {
        AnyOf any = anyOf(requests);
        if (any.isEmpty()) {
            return new int[0];
        }
        waiting.await(any, Waiting.FOREVER);
        return any.reached();
    }

    private AnyOf anyOf(Request[] requests) {
        Completion[] members = new Completion[requests.length];
        for (int i = 0; i < members.length; i++) {
            members[i] = own(requests, i);
        }
        return new AnyOf(members);
    }

    private Completion own(Request[] requests, int index) {
        Request request = requests[index];
        if (request == null) {
            return null;
        }
        if (!(request instanceof Completion)) {
            throw new IllegalArgumentException(
                    "request " + index + " is a " + request.getClass().getName() + ", not one of a Sluice device");
        }
        Completion own = (Completion) request;
        if (!own.isOf(waiting)) {
            throw new IllegalArgumentException(
                    "request " + index + " belongs to another device than this one, of rank " + rank
                            + ", which makes no progress for it: give it to the device that made it, or call its own"
                            + " waitFor");
        }
        return own;
    }
}
