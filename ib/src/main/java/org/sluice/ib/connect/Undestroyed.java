package org.sluice.ib.connect;

import java.util.ArrayList;
import java.util.List;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.ib.adapter.VerbsFailure;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Identifiers whose queue pairs the library didn't destroy when told to. They are told once more at close; what stays
 * then may go on using the receive queue and all memory that it knows, which therefore stays too. <i>Thread</i>: under
 * the connection lock.
 */
final class Undestroyed {
    private final VerbsCalls verbs;
    private final List<Long> ids = new ArrayList<>();

    Undestroyed(VerbsCalls verbs) {
        this.verbs = verbs;
    }

    void add(long id) {
        ids.add(id);
    }

    boolean isEmpty() {
        return ids.isEmpty();
    }

    /** Once more; whatever stays is told. */
    void end(GivingBack back) {
        int result = 0;
        for (int i = ids.size() - 1; i >= 0; i--) {
            int each = verbs.destroyQueuePair(ids.get(i));
            if (each >= 0) {
                back.took("rdma_destroy_id", verbs.destroyId(ids.remove(i)));
            } else {
                result = each;
            }
        }
        if (!ids.isEmpty()) {
            back.failed(new IllegalStateException(
                    VerbsFailure.describe("ibv_destroy_qp", result) + "; queue pairs that stay: " + ids.size()
                            + ", and with them the RDMA device may use the memory of this rank's slots, which stays"
                            + " allocated and registered until this process ends"));
        }
    }
}
