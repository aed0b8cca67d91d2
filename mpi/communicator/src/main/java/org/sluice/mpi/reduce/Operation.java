package org.sluice.mpi.reduce;

/** What MPI's own reductions do with two elements; the last ones take pairs. */
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
    MIN_LOCATION,
    COMPLEX_PRODUCT;

    /** Whether it takes elements two by two. */
    public boolean takesPairs() {
        return isLocation() || this == COMPLEX_PRODUCT;
    }

    /** Whether its pairs are a value and a location. */
    public boolean isLocation() {
        return this == MAX_LOCATION || this == MIN_LOCATION;
    }
}
