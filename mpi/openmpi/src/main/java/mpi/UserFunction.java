package mpi;

import java.nio.ByteBuffer;
import org.sluice.mpi.Data;
import org.sluice.mpi.ElementType;
import org.sluice.mpi.Packing;

/**
 * A program's own reduction. It overrides one of the two methods: both have the operands of lower ranks, which it
 * leaves as they are, and those of higher ranks, where the result goes.
 *
 * <p><i>Thread</i>: that of the call, or any that makes progress if that doesn't block.
 */
public abstract class UserFunction {
    public UserFunction() {}

    /**
     * Of arrays of the datatype's basic type.
     *
     * @param count of items
     */
    public void call(Object inVec, Object inOutVec, int count, Datatype datatype) throws MPIException {
        throw new UnsupportedOperationException("a UserFunction overrides call with arrays, or with buffers");
    }

    /**
     * Of buffers in the machine's byte order, from their element 0 on; with MPI.BOOLEAN the method with arrays is
     * called instead. What isn't overridden copies them to arrays.
     *
     * @param count of items
     */
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) throws MPIException {
        ElementType base = datatype.base();
        Object left = base.array(in.remaining() / base.bytes());
        Object right = base.array(inOut.remaining() / base.bytes());
        Packing.unpack(in, 0, Data.of(left, 0, in.remaining() / base.bytes()));
        Packing.unpack(inOut, 0, Data.of(right, 0, inOut.remaining() / base.bytes()));
        call(left, right, count, datatype);
        Packing.pack(right, inOut, 0);
    }
}
