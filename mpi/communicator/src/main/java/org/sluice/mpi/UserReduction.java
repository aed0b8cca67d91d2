package org.sluice.mpi;

/** A reduction of the program's own. */
@FunctionalInterface
public interface UserReduction {
    /**
     * Computes {@code right[i] = left[i] op right[i]} for {@code count} items.
     *
     * @param left array of the layout's element type, of bytes if it has several; the operands of lower ranks; not to
     *     be written
     * @param right array of the same type; the operands of higher ranks, and the result
     * @param leftOffset element of {@code left} at which the first item begins
     * @param rightOffset element of {@code right} at which the first item begins
     * @param count of items, each as the layout describes it, but without holes
     */
    void apply(Object left, int leftOffset, Object right, int rightOffset, int count, Layout layout);
}
