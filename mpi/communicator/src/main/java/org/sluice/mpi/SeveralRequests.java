package org.sluice.mpi;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.layer.Layer;

/**
 * Waits and tests of several requests, persistent ones among them: what is null or inactive isn't waited for. One that
 * is given twice counts twice. Those of another device are refused by a wait, before it waits for any; a test takes
 * them, as each makes progress for itself.
 *
 * <p><i>Thread</i>: any.
 */
final class SeveralRequests {
    private SeveralRequests() {}

    /** As the device takes it; null where nobody has to wait. */
    private static Request plain(Request request) {
        return request instanceof PersistentRequest ? ((PersistentRequest) request).active() : request;
    }

    private static Request[] plain(Request[] requests) {
        Request[] plain = requests;
        for (int i = 0; i < requests.length; i++) {
            Request each = plain(requests[i]);
            if (each != requests[i]) {
                plain = plain == requests ? Arrays.copyOf(requests, requests.length, Request[].class) : plain;
                plain[i] = each;
            }
        }
        return plain;
    }

    private static void found(Request request) {
        if (request instanceof PersistentRequest) {
            ((PersistentRequest) request).found();
        }
    }

    private static void found(Request[] requests) {
        for (Request request : requests) {
            found(request);
        }
    }

    static void waitAll(Layer layer, Request[] requests) {
        waitAll(layer, requests, plain(requests));
    }

    private static void waitAll(Layer layer, Request[] requests, Request[] plain) {
        try {
            layer.device().waitAll(plain);
        } catch (SluiceException e) {
            found(requests);
            throw e;
        }
        found(requests);
    }

    static int waitAny(Layer layer, Request[] requests) {
        int index = layer.device().waitAny(plain(requests));
        if (index >= 0) {
            found(requests[index]);
        }
        return index;
    }

    static int waitAny(Layer layer, long timeout, TimeUnit unit, Request[] requests) {
        int index = layer.waitAny(unit.toNanos(timeout), plain(requests));
        if (index >= 0) {
            found(requests[index]);
        }
        return index;
    }

    static boolean waitAll(Layer layer, long timeout, TimeUnit unit, Request[] requests) {
        Request[] plain = plain(requests);
        // Refuses those of other devices before any is waited for.
        layer.waitAny(0, plain);
        long begin = System.nanoTime();
        long nanos = Math.max(0, unit.toNanos(timeout));
        for (Request request : plain) {
            if (request != null && !isOver(request, nanos - (System.nanoTime() - begin))) {
                return false;
            }
        }
        waitAll(layer, requests, plain);
        return true;
    }

    private static boolean isOver(Request request, long nanos) {
        try {
            return request.waitFor(nanos, TimeUnit.NANOSECONDS) != null;
        } catch (SluiceException e) {
            // It is told once all are over.
            return true;
        }
    }

    static int[] waitSome(Layer layer, Request[] requests) {
        return found(requests, layer.device().waitSome(plain(requests)));
    }

    private static int[] found(Request[] requests, int[] indices) {
        for (int index : indices) {
            found(requests[index]);
        }
        return indices;
    }

    static int testAny(Layer layer, Request[] requests) {
        layer.device().progress();
        for (int i = 0; i < requests.length; i++) {
            Request request = plain(requests[i]);
            if (request != null && request.isDone()) {
                found(requests[i]);
                return i;
            }
        }
        return -1;
    }

    static int[] testSome(Layer layer, Request[] requests) {
        Request[] plain = plain(requests);
        layer.device().progress();
        int[] indices = new int[plain.length];
        int count = 0;
        for (int i = 0; i < plain.length; i++) {
            if (plain[i] != null && plain[i].isDone()) {
                indices[count++] = i;
            }
        }
        return found(requests, Arrays.copyOf(indices, count));
    }

    static boolean testAll(Layer layer, Request[] requests) {
        layer.device().progress();
        for (Request request : requests) {
            if (request != null && !request.isDone()) {
                return false;
            }
        }
        SluiceException first = null;
        Status status = new Status();
        for (Request request : plain(requests)) {
            try {
                if (request != null) {
                    request.waitFor(status);
                }
            } catch (SluiceException e) {
                first = first == null ? e : first;
            }
        }
        found(requests);
        if (first != null) {
            throw first;
        }
        return true;
    }
}
