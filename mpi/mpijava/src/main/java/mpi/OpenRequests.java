package mpi;

import java.util.Arrays;

/** Requests that nobody has found to be over, as far as that is known: for {@code Finalize}. <i>Thread</i>: any. */
final class OpenRequests {
    private static final int FIRST_ROOM = 64;

    private Request[] all = new Request[FIRST_ROOM];
    private int count;

    synchronized void add(Request request) {
        if (count == all.length) {
            forget();
            if (count > all.length / 2) {
                all = Arrays.copyOf(all, 2 * all.length);
            }
        }
        all[count++] = request;
    }

    /** Those that are over: what nobody waits for need not be kept. */
    private void forget() {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (isOpen(all[i])) {
                all[kept++] = all[i];
            }
        }
        Arrays.fill(all, kept, count, null);
        count = kept;
    }

    private static boolean isOpen(Request request) {
        org.sluice.device.Request pending = request.pending;
        return pending != null && !pending.isDone();
    }

    synchronized int open() {
        forget();
        return count;
    }
}
