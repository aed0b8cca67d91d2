package org.sluice.mpi.reduce;

import org.sluice.mpi.ElementType;

/**
 * The loops of one type of elements. Compilers turn a loop over two arrays into vector instructions where both have one
 * index: where there are two, one array may be the other, some places on, for all that they know. So operands that
 * begin at the same place of their arrays have loops of their own, which take half the time, and schedules have them
 * begin there where they can. <i>Thread</i>: any.
 */
public interface Kernel {
    /**
     * Fewer elements go in a loop of their own: compilers unroll a loop as far as its calls before were long, and most
     * calls are short.
     */
    int FEW = 64;

    /** Whether the operation makes sense for this type. */
    boolean takes(Operation operation);

    /**
     * {@code right[i] = left[i] op right[i]}, for {@code count} elements of arrays of the type.
     *
     * @param count of elements, of which pairs have two
     */
    void apply(Operation operation, Object left, int leftAt, Object right, int rightAt, int count);

    static Kernel of(ElementType type) {
        switch (type) {
            case BOOLEAN:
                return BooleanKernel.KERNEL;
            case CHAR:
                return CharKernel.KERNEL;
            case SHORT:
                return ShortKernel.KERNEL;
            case INT:
                return IntKernel.KERNEL;
            case LONG:
                return LongKernel.KERNEL;
            case FLOAT:
                return FloatKernel.KERNEL;
            case DOUBLE:
                return DoubleKernel.KERNEL;
            default:
                return ByteKernel.KERNEL;
        }
    }
}
