package org.sluice.mpi;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.Layer;

/**
 * Waits and tests of several requests of one device, persistent ones among them: what is null or inactive isn't waited
 * for. <i>Thread</i>: any.
 */
final class SeveralRequests {
    private static final int NONE = -1;

    private SeveralRequests() {}

    /** As the device takes them. */
    private static Request[] plain(Request[] requests) {
        Request[] plain = requests;
        for (int i = 0; i < requests.length; i++) {
            if (requests[i] instanceof PersistentRequest) {
                plain = plain == requests ? Arrays.copyOf(requests, requests.length, Request[].class) : plain;
                plain[i] = ((PersistentRequest) requests[i]).active();
            }
        }
        return plain;
    }

    private static void found(Request request) {
        if (request instanceof PersistentRequest) {
            ((PersistentRequest) request).found();
        }
    }

    static void waitAll(Layer layer, Request[] requests) {
        try {
            layer.device().waitAll(plain(requests));
        } finally {
            for (Request request : requests) {
                found(request);
            }
        }
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
        long deadline = System.nanoTime() + unit.toNanos(timeout);
        for (Request request : plain) {
            if (request != null && !isOver(request, Math.max(0, deadline - System.nanoTime()))) {
                return false;
            }
        }
        waitAll(layer, requests);
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
        int[] indices = layer.device().waitSome(plain(requests));
        for (int index : indices) {
            found(requests[index]);
        }
        return indices;
    }

    static int testAny(Layer layer, Request[] requests) {
        Request[] plain = plain(requests);
        layer.device().progress();
        for (int i = 0; i < plain.length; i++) {
            if (plain[i] != null && plain[i].isDone()) {
                found(requests[i]);
                return i;
            }
        }
        return NONE;
    }

    static int[] testSome(Layer layer, Request[] requests) {
        Request[] plain = plain(requests);
        layer.device().progress();
        int[] indices = new int[plain.length];
        int count = 0;
        for (int i = 0; i < plain.length; i++) {
            if (plain[i] != null && plain[i].isDone()) {
                found(requests[i]);
                indices[count++] = i;
            }
        }
        return Arrays.copyOf(indices, count);
    }

    static boolean testAll(Layer layer, Request[] requests) {
        layer.device().progress();
        for (Request request : plain(requests)) {
            if (request != null && !request.isDone()) {
                return false;
            }
        }
        waitAll(layer, requests);
        return true;
    }
}
