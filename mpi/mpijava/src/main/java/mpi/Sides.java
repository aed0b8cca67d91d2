package mpi;

import org.sluice.mpi.Data;

/** Contributions and results of a collective, which may be in one array. */
final class Sides {
    private Sides() {}

    /**
     * A contribution as Sluice takes it: in place if it lies where it goes, a copy if the result would be written over
     * it otherwise.
     *
     * @param own where in the result's array it goes, in elements
     * @param begin where in that the result begins
     * @param end where it ends
     */
    static Object contribution(
            Datatype type, Object from, int offset, long count, Object into, long own, long begin, long end) {
        if (from != into || from == null) {
            return type.part(from, offset, count);
        }
        if (offset == own) {
            type.check(from, count);
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
