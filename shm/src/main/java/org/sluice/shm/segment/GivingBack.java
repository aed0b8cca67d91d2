package org.sluice.shm.segment;

/**
 * What went wrong while several things are given back: none of them keeps the others from it.
 *
 * <p><i>Thread</i>: one. <i>Fails</i>: at {@link #end}, with what the first failed with, and the others with it.
 * <i>Proof</i>: {@code SegmentCloseTest}.
 */
final class GivingBack {
    private RuntimeException first;

    void failed(RuntimeException e) {
        if (first == null) {
            first = e;
        } else {
            first.addSuppressed(e);
        }
    }

    void end() {
        if (first != null) {
            throw first;
        }
    }
}
