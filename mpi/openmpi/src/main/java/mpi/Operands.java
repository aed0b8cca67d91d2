package mpi;

import org.sluice.mpi.Data;

/** What a reduction takes, and what brings its result to where the caller wants it. <i>Thread</i>: one. */
final class Operands {
    final Object contribution;
    final Object result;
    /** Null where the result is where it belongs. */
    final Turned turned;

    /**
     * @param given {@link Data#IN_PLACE}, too
     * @param hasResult whether this rank gets one
     */
    Operands(Object given, long givenCount, Object into, long intoCount, boolean hasResult, Datatype type)
            throws MPIException {
        turned = hasResult ? Turned.of(into, intoCount, type) : null;
        if (turned != null) {
            result = turned.data();
        } else {
            result = hasResult ? Buffers.reduced(into, intoCount, type) : null;
        }
        contribution = given == Data.IN_PLACE ? given : Turned.contribution(given, givenCount, type);
    }

    /** Of as many items on both sides. */
    Operands(Object given, Object into, int count, Datatype type) throws MPIException {
        this(given, checked(count), into, count, true, type);
    }

    private static int checked(int count) throws MPIException {
        Buffers.checkCount(count);
        return count;
    }

    void deliver() {
        if (turned != null) {
            turned.deliver();
        }
    }
}
