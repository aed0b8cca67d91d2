package mpi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.sluice.mpi.ElementType;
import org.sluice.mpi.Reduction;

/**
 * Operations of pairs for which Sluice has no kernels: of a value and an index of two types, and of complex numbers.
 */
final class PairOperation {
    private static final VarHandle DOUBLE = view(double[].class);
    private static final VarHandle FLOAT = view(float[].class);
    private static final VarHandle LONG = view(long[].class);
    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);

    private static final Reduction DOUBLE_PRODUCT = Reduction.of(
            (left, leftAt, right, rightAt, count, items) ->
                    multiply((double[]) left, leftAt, (double[]) right, rightAt, (int) (count * items.size() / 16)),
            true);
    private static final Reduction FLOAT_PRODUCT = Reduction.of(
            (left, leftAt, right, rightAt, count, items) ->
                    multiply((float[]) left, leftAt, (float[]) right, rightAt, (int) (count * items.size() / 8)),
            true);

    private static final Reduction[] MAXIMA = new Reduction[ElementType.values().length];
    private static final Reduction[] MINIMA = new Reduction[ElementType.values().length];

    static {
        for (ElementType type :
                new ElementType[] {ElementType.DOUBLE, ElementType.FLOAT, ElementType.LONG, ElementType.SHORT}) {
            MAXIMA[type.ordinal()] = locating(type, 1);
            MINIMA[type.ordinal()] = locating(type, -1);
        }
    }

    private PairOperation() {}

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.nativeOrder());
    }

    static Reduction complexProduct(ElementType part) {
        return part == ElementType.DOUBLE ? DOUBLE_PRODUCT : FLOAT_PRODUCT;
    }

    private static void multiply(double[] left, int leftAt, double[] right, int rightAt, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            double real = left[leftAt + i];
            double imag = left[leftAt + i + 1];
            double otherReal = right[rightAt + i];
            double otherImag = right[rightAt + i + 1];
            right[rightAt + i] = real * otherReal - imag * otherImag;
            right[rightAt + i + 1] = real * otherImag + imag * otherReal;
        }
    }

    private static void multiply(float[] left, int leftAt, float[] right, int rightAt, int count) {
        for (int i = 0; i < 2 * count; i += 2) {
            float real = left[leftAt + i];
            float imag = left[leftAt + i + 1];
            float otherReal = right[rightAt + i];
            float otherImag = right[rightAt + i + 1];
            right[rightAt + i] = real * otherReal - imag * otherImag;
            right[rightAt + i + 1] = real * otherImag + imag * otherReal;
        }
    }

    /** The lower index of equal values, as MPI has it. */
    static Reduction location(ElementType value, boolean isMaximum) {
        return (isMaximum ? MAXIMA : MINIMA)[value.ordinal()];
    }

    /** @param sign 1 for the greatest value, -1 for the least */
    private static Reduction locating(ElementType value, int sign) {
        int bytes = value.bytes();
        int item = bytes + Integer.BYTES;
        return Reduction.of(
                (left, leftAt, right, rightAt, count, items) -> {
                    byte[] from = (byte[]) left;
                    byte[] into = (byte[]) right;
                    int pairs = (int) (count * items.size() / item);
                    for (int i = 0; i < pairs; i++) {
                        int here = leftAt + i * item;
                        int there = rightAt + i * item;
                        int order = sign * compare(value, from, here, into, there);
                        boolean isLower = (int) INT.get(from, here + bytes) < (int) INT.get(into, there + bytes);
                        if (order > 0 || order == 0 && isLower) {
                            System.arraycopy(from, here, into, there, item);
                        }
                    }
                },
                true);
    }

    private static int compare(ElementType type, byte[] left, int leftAt, byte[] right, int rightAt) {
        switch (type) {
            case DOUBLE:
                return compare((double) DOUBLE.get(left, leftAt), (double) DOUBLE.get(right, rightAt));
            case FLOAT:
                return compare((float) FLOAT.get(left, leftAt), (float) FLOAT.get(right, rightAt));
            case LONG:
                return Long.compare((long) LONG.get(left, leftAt), (long) LONG.get(right, rightAt));
            default:
                return Short.compare((short) SHORT.get(left, leftAt), (short) SHORT.get(right, rightAt));
        }
    }

    /** Zeros of both signs are equal, as in C. */
    private static int compare(double left, double right) {
        return left == right ? 0 : Double.compare(left, right);
    }
}
