package org.sluice.mpi;

/** An array of each type for one purpose, kept for the next call. <i>Thread</i>: one. */
final class Scratch {
    /** In an array of bytes; of other elements there are as many. */
    static final int MOST_BYTES = Integer.MAX_VALUE - 64;

    private static final int SMALLEST = 64;

    private final Object[] arrays = new Object[ElementType.values().length];
    private final long[] lengths = new long[arrays.length];

    /** An array of at least so many bytes; what was in it is anything. */
    Object take(ElementType type, long bytes) {
        long wanted = (bytes + type.bytes() - 1) / type.bytes();
        int kind = type.ordinal();
        if (arrays[kind] == null || lengths[kind] < wanted) {
            if (wanted > MOST_BYTES) {
                throw new IllegalArgumentException("a collective of " + bytes + " bytes that have to be packed or"
                        + " computed with needs an array that is longer than Java has: split it");
            }
            lengths[kind] = Math.max(SMALLEST, wanted);
            arrays[kind] = type.array((int) lengths[kind]);
        }
        return arrays[kind];
    }
}
