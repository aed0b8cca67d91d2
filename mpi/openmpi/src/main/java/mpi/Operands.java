package mpi;

import org.sluice.mpi.Data;

/** What a reduction takes and what it fills. Immutable. */
final class Operands {
    final Object contribution;
    final Object result;

    /**
     * @param given {@link Data#IN_PLACE}, too
     * @param hasResult whether this rank gets one
     */
    Operands(Object given, long givenCount, Object into, long intoCount, boolean hasResult, Datatype type)
            throws MPIException {
        result = hasResult ? Buffers.reduced(into, intoCount, type) : null;
        contribution = given == Data.IN_PLACE
                ? given
                : Buffers.reduced(Buffers.apart(given, hasResult ? into : null), givenCount, type);
    }

    /** Of as many items on both sides. */
    Operands(Object given, Object into, int count, Datatype type) throws MPIException {
        this(given, checked(count), into, count, true, type);
    }

    private static int checked(int count) throws MPIException {
        Buffers.checkCount(count);
        return count;
    }
}
