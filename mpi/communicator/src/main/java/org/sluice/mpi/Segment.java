package org.sluice.mpi;

/**
 * Some bytes of an operand that was checked and prepared: what calls that do a part of another's work take as their
 * buffer. Used again and again; a call looks at it before it waits, and not later. <i>Thread</i>: one.
 */
final class Segment {
    private Operand whole;
    private Layout layout;
    /** In bytes from where the operand begins. */
    private long from;

    private long bytes;

    /** @param newLayout of the items that it has, packed */
    Segment of(Operand newWhole, Layout newLayout, long newFrom, long newBytes) {
        if (whole != newWhole) {
            whole = newWhole;
        }
        if (layout != newLayout) {
            layout = newLayout;
        }
        from = newFrom;
        bytes = newBytes;
        return this;
    }

    Operand whole() {
        return whole;
    }

    Layout layout() {
        return layout;
    }

    long count() {
        return bytes / Math.max(1, layout.size());
    }

    long from() {
        return from;
    }
}
