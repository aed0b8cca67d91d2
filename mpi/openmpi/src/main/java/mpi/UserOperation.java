package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sluice.mpi.Data;
import org.sluice.mpi.ElementType;
import org.sluice.mpi.Layout;
import org.sluice.mpi.Packing;
import org.sluice.mpi.UserReduction;

/** A {@link UserFunction} for items of one datatype. <i>Thread</i>: any. */
final class UserOperation implements UserReduction {
    /** What the function has thrown. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Failure(MPIException thrown) {
            super(thrown.getMessage(), thrown);
        }

        MPIException thrown() {
            return (MPIException) getCause();
        }
    }

    private final UserFunction function;
    private final Datatype type;
    private final Layout layout;

    UserOperation(UserFunction function, Datatype type) throws MPIException {
        this.function = function;
        this.type = type;
        this.layout = type.layout();
    }

    @Override
    public void apply(Object left, int leftOffset, Object right, int rightOffset, int count, Layout items) {
        try {
            if (type.base() == ElementType.BOOLEAN) {
                ofArrays(left, leftOffset, right, rightOffset, count, items);
            } else {
                ofBuffers(left, leftOffset, right, rightOffset, count, items);
            }
        } catch (MPIException e) {
            throw new Failure(e);
        }
    }

    @FunctionalInterface
    private interface Calling {
        void call() throws MPIException;
    }

    /** What it throws isn't taken for a mistake in the arguments of the reduction. */
    private static void call(Calling calling) throws MPIException {
        try {
            calling.call();
        } catch (RuntimeException e) {
            throw new MPIException(MPI.ERR_OP, "the UserFunction of an Op has thrown " + e, e);
        }
    }

    private void ofArrays(Object left, int leftOffset, Object right, int rightOffset, int count, Layout items)
            throws MPIException {
        long elements = count * items.size();
        Data rightItems = Data.of(right, rightOffset, elements);
        boolean[] in = spreadArray(Data.of(left, leftOffset, elements), count);
        boolean[] inOut = spreadArray(rightItems, count);
        call(() -> function.call((Object) in, inOut, count, type));
        byte[] packed = new byte[Math.toIntExact(elements)];
        Packing.pack(Data.of(inOut, 0, count, layout), packed, 0);
        Packing.unpack(packed, 0, rightItems);
    }

    /** As {@link #spread}. */
    private boolean[] spreadArray(Data items, int count) {
        boolean[] array = new boolean[Math.toIntExact(Math.max(layout.reach(count), count * layout.extent()))];
        byte[] packed = new byte[Math.toIntExact(count * layout.size())];
        Packing.pack(items, packed, 0);
        Packing.unpack(packed, 0, Data.of(array, 0, count, layout));
        return array;
    }

    private void ofBuffers(Object left, int leftOffset, Object right, int rightOffset, int count, Layout items)
            throws MPIException {
        long elements = count * items.size() / ElementType.of(left).bytes();
        Data leftItems = Data.of(left, leftOffset, elements);
        Data rightItems = Data.of(right, rightOffset, elements);
        ByteBuffer in = spread(leftItems, count);
        ByteBuffer inOut = spread(rightItems, count);
        call(() -> function.call(in, inOut, count, type));
        inOut.clear();
        if (layout.isContiguous()) {
            Packing.unpack(inOut, 0, rightItems);
        } else {
            byte[] packed = new byte[Math.toIntExact(count * layout.size())];
            Packing.pack(Data.of(inOut, 0, count, layout), packed, 0);
            Packing.unpack(packed, 0, rightItems);
        }
    }

    /** Items where the program expects them, holes between them. */
    private ByteBuffer spread(Data items, int count) {
        long size = Math.max(layout.reach(count), count * layout.extent());
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(size)).order(ByteOrder.nativeOrder());
        if (layout.isContiguous()) {
            Packing.pack(items, buffer, 0);
        } else {
            byte[] packed = new byte[Math.toIntExact(count * layout.size())];
            Packing.pack(items, packed, 0);
            Packing.unpack(packed, 0, Data.of(buffer, 0, count, layout));
        }
        return buffer;
    }
}
