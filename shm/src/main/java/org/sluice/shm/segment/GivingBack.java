package org.sluice.shm.segment;

/**
 * Gives several things back, whatever goes wrong with some of them.
 *
 * <p><i>Thread</i>: one. <i>Fails</i>: at {@link #end}, with what the first failed with, and the others with it.
 * <i>Proof</i>: {@code SegmentCloseTest}.
 */
final class GivingBack {
    private RuntimeException first;

    void close(Runnable each) {
        try {
            each.run();
        } catch (RuntimeException e) {
            if (first == null) {
                first = e;
            } else {
                first.addSuppressed(e);
            }
        }
    }

    void end() {
        if (first != null) {
            throw first;
        }
    }
}
