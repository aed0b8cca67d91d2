package org.sluice.mpi.reduce;

/** What MPI's own reductions do with two elements; the last two take pairs of a value and a location. */
public enum Operation {
    SUM,
    PRODUCT,
    MAX,
    MIN,
    LOGICAL_AND,
    LOGICAL_OR,
    LOGICAL_XOR,
    BITWISE_AND,
    BITWISE_OR,
    BITWISE_XOR,
    MAX_LOCATION,
    MIN_LOCATION;

    /** Whether it takes elements two by two. */
    public boolean takesPairs() {
        return this == MAX_LOCATION || this == MIN_LOCATION;
    }
}
