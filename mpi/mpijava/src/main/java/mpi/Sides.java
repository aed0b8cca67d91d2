package mpi;

import org.sluice.mpi.Data;

/** Contributions and results of a collective, which may be in one array. */
final class Sides {
    private Sides() {}

    /** Whether items of both types lie in the same way. */
    static boolean areAlike(Datatype one, Datatype other) {
        return one == other || one.isDense() && other.isDense();
    }

    /**
     * A contribution as Sluice takes it: in place if it lies where it goes, a copy if the result would be written over
     * it otherwise.
     *
     * @param own where in the result's array it goes, in elements
     * @param begin where in that the result begins
     * @param end where it ends
     */
    static Object contribution(
            Datatype type,
            Object from,
            int offset,
            long count,
            Datatype intoType,
            Object into,
            long own,
            long begin,
            long end) {
        if (from != into || from == null) {
            return type.part(from, offset, count);
        }
        type.check(from, count);
        if (offset == own && areAlike(type, intoType)) {
            return Data.IN_PLACE;
        }
        return apart(type, from, offset, count, begin, end);
    }

    /** As {@link #contribution}, of what can't be in place. */
    static Object apart(Datatype type, Object from, int offset, long count, long begin, long end) {
        type.check(from, count);
        boolean isBefore = offset + count * type.extent <= begin;
        boolean isApart = type.lb >= 0 && type.extent >= type.size && (isBefore || offset >= end);
        return type.part(isApart || count == 0 ? from : Buffers.copy(from), offset, count);
    }
}
