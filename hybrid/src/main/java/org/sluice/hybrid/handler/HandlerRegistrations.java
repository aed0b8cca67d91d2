package org.sluice.hybrid.handler;

import java.util.Arrays;
import java.util.concurrent.Executor;
import org.sluice.device.Handler;

/**
 * What is called for which id, and where. <i>Thread</i>: under the progress lock. <i>Proof</i>: {@code HandlerCases}.
 */
final class HandlerRegistrations {
    /** @param executor null: whoever makes progress */
    record Registration(Handler handler, Executor executor) {}

    private Registration[] byId = new Registration[0];

    /** @return false where the id has one already */
    boolean add(int id, Handler handler, Executor executor) {
        if (id >= byId.length) {
            byId = Arrays.copyOf(byId, Math.max(id + 1, 2 * byId.length));
        }
        if (byId[id] != null) {
            return false;
        }
        byId[id] = new Registration(handler, executor);
        return true;
    }

    void remove(int id) {
        if (id < byId.length) {
            byId[id] = null;
        }
    }

    /** Null where nobody has registered the id. */
    Registration get(int id) {
        return id < byId.length ? byId[id] : null;
    }
}
