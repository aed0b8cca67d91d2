package org.sluice.mpi.reduce;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.sluice.mpi.ElementType;

/** As {@link Kernel}, for a value of any type and an int behind it, packed in bytes, which are its elements. */
public final class PairKernel implements Kernel {
    private static final VarHandle DOUBLE = view(double[].class);
    private static final VarHandle FLOAT = view(float[].class);
    private static final VarHandle LONG = view(long[].class);
    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle CHAR = view(char[].class);
    private static final VarHandle INT = view(int[].class);

    private static final PairKernel[] KERNELS = new PairKernel[ElementType.values().length];

    static {
        for (ElementType type : ElementType.values()) {
            KERNELS[type.ordinal()] = new PairKernel(type);
        }
    }

    private final ElementType value;

    private PairKernel(ElementType value) {
        this.value = value;
    }

    public static PairKernel of(ElementType value) {
        return KERNELS[value.ordinal()];
    }

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.nativeOrder());
    }

    @Override
    public boolean takes(Operation operation) {
        return operation.isLocation();
    }

    @Override
    public void apply(Operation operation, Object left, int leftAt, Object right, int rightAt, int count) {
        byte[] a = (byte[]) left;
        byte[] b = (byte[]) right;
        int bytes = value.bytes();
        int pair = bytes + Integer.BYTES;
        int sign = operation == Operation.MAX_LOCATION ? 1 : -1;
        for (int i = 0; i + pair <= count; i += pair) {
            int here = leftAt + i;
            int there = rightAt + i;
            int order = sign * compare(a, here, b, there);
            boolean isLower = (int) INT.get(a, here + bytes) < (int) INT.get(b, there + bytes);
            if (order > 0 || order == 0 && isLower) {
                System.arraycopy(a, here, b, there, pair);
            }
        }
    }

    private int compare(byte[] a, int here, byte[] b, int there) {
        switch (value) {
            case DOUBLE:
                return compare((double) DOUBLE.get(a, here), (double) DOUBLE.get(b, there));
            case FLOAT:
                return compare((float) FLOAT.get(a, here), (float) FLOAT.get(b, there));
            case LONG:
                return Long.compare((long) LONG.get(a, here), (long) LONG.get(b, there));
            case INT:
                return Integer.compare((int) INT.get(a, here), (int) INT.get(b, there));
            case SHORT:
                return Short.compare((short) SHORT.get(a, here), (short) SHORT.get(b, there));
            case CHAR:
                return Character.compare((char) CHAR.get(a, here), (char) CHAR.get(b, there));
            default:
                return Byte.compare(a[here], b[there]);
        }
    }

    /** Zeros of both signs are equal. */
    private static int compare(double left, double right) {
        return left == right ? 0 : Double.compare(left, right);
    }
}
