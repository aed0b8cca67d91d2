package org.sluice.ib;

/** Gives back all, in this order, whatever goes wrong with one. */
final class CloseAll {
    private CloseAll() {
    }

    /** @param all may hold nulls: what was not made */
    static void of(AutoCloseable... all) {
        RuntimeException first = null;
        for (AutoCloseable each : all) {
            try {
                if (each != null) {
                    each.close();
                }
            } catch (Exception e) {
                first = first == null ? new IllegalStateException("giving back what the ib channel had failed", e) : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
