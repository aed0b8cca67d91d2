package mpi;

import org.sluice.mpi.Layout;

/** Blocks of items of other types, displacements in elements. */
final class DerivedType extends Datatype {
    DerivedType(int[] lengths, int[] displacements, Datatype[] types) {
        this(lengths, displacements, types, types.length == 0 ? null : types[0]);
    }

    /** @param old says what the elements are if there are no blocks; null for none */
    DerivedType(int[] lengths, int[] displacements, Datatype[] types, Datatype old) {
        Datatype element = elementType(types, old);
        long elements = 0;
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] < 0) {
                throw new MPIException("block " + i + " has " + lengths[i] + " items: 0 or more");
            }
            elements += (long) lengths[i] * types[i].size;
        }
        size = place(elements);
        takeBounds(lengths, displacements, types);
        if (element == null) {
            return;
        }
        baseType = element.baseType;
        bufferType = element.bufferType;
        arrayClass = element.arrayClass;
        if (element.isObject()) {
            places = places(lengths, displacements, types);
        } else if (element.layout == null) {
            throw new MPIException(element + " can't be a part of another type");
        } else {
            int elementBytes = (int) Layout.of(element.layout.element()).size();
            byteSize = place(elements * elementBytes);
            layout = layout(lengths, displacements, types, elementBytes, element);
        }
    }

    /** What says of which elements it is made; null where there are none. */
    private static Datatype elementType(Datatype[] types, Datatype old) {
        Datatype found = null;
        for (Datatype type : types) {
            if (type.baseType == UNDEFINED) {
                continue;
            }
            if (found != null && found.baseType != type.baseType) {
                throw new MPIException("the types of all blocks of a struct have the same base type, and here are "
                        + found + " and " + type + ": a Java array has elements of one type; send objects with"
                        + " MPI.OBJECT");
            }
            found = type;
        }
        return found == null && old != null && old.baseType != UNDEFINED ? old : found;
    }

    /** Markers go before the bounds of what is there; without either, bounds and extent are as MPJ Express has them. */
    private void takeBounds(int[] lengths, int[] displacements, Datatype[] types) {
        long low = Integer.MAX_VALUE;
        long high = Integer.MIN_VALUE;
        long marked = Integer.MAX_VALUE;
        long markedHigh = Integer.MIN_VALUE;
        for (int i = 0; i < lengths.length; i++) {
            Datatype type = types[i];
            if (lengths[i] == 0 || type.size == 0 && !type.lbSet && !type.ubSet) {
                continue;
            }
            long begin = (long) displacements[i] + type.lb;
            long end = displacements[i] + (lengths[i] - 1L) * type.extent + type.ub;
            if (type.lbSet) {
                lbSet = true;
                marked = Math.min(marked, begin);
            } else if (type.size > 0) {
                low = Math.min(low, begin);
            }
            if (type.ubSet) {
                ubSet = true;
                markedHigh = Math.max(markedHigh, end);
            } else if (type.size > 0) {
                high = Math.max(high, end);
            }
        }
        lb = place(lbSet ? marked : low);
        ub = place(ubSet ? markedHigh : high);
        extent = lb == Integer.MAX_VALUE || ub == Integer.MIN_VALUE ? 0 : place((long) ub - lb);
    }

    /** In elements or bytes, from where an item begins. */
    private static int place(long at) {
        if (at != (int) at) {
            throw new MPIException(
                    "a type that reaches to " + at + ": an item ends within 2^31 - 1 elements and bytes");
        }
        return (int) at;
    }

    private Layout layout(int[] lengths, int[] displacements, Datatype[] types, int elementBytes, Datatype element) {
        int count = 0;
        for (Datatype type : types) {
            count += type.layout == null ? 0 : 1;
        }
        int[] itsLengths = new int[count];
        long[] itsDisplacements = new long[count];
        Layout[] layouts = new Layout[count];
        int at = 0;
        for (int i = 0; i < types.length; i++) {
            if (types[i].layout != null) {
                itsLengths[at] = lengths[i];
                itsDisplacements[at] = (long) displacements[i] * elementBytes;
                layouts[at++] = types[i].layout;
            }
        }
        Layout made = count == 0
                ? Layout.of(element.layout.element()).contiguous(0)
                : Layout.struct(itsLengths, itsDisplacements, layouts);
        return extent == 0 && size == 0 ? made : made.resized((long) lb * elementBytes, (long) extent * elementBytes);
    }

    private int[] places(int[] lengths, int[] displacements, Datatype[] types) {
        int[] all = new int[size];
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            for (int item = 0; item < lengths[i] && types[i].places != null; item++) {
                for (int place : types[i].places) {
                    all[at++] = place(displacements[i] + (long) item * types[i].extent + place);
                }
            }
        }
        return all;
    }
}
