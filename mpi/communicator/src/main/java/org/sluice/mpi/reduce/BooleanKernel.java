package org.sluice.mpi.reduce;

/** As {@link Kernel}, for booleans. */
final class BooleanKernel implements Kernel {
    static final BooleanKernel KERNEL = new BooleanKernel();

    private BooleanKernel() {}

    @Override
    public boolean takes(Operation operation) {
        return operation.name().startsWith("LOGICAL") || operation.name().startsWith("BITWISE");
    }

    @Override
    public void apply(Operation operation, Object left, int leftAt, Object right, int rightAt, int count) {
        boolean[] a = (boolean[]) left;
        boolean[] b = (boolean[]) right;
        switch (operation) {
            case LOGICAL_AND:
            case BITWISE_AND:
                and(a, leftAt, b, rightAt, count);
                break;
            case LOGICAL_OR:
            case BITWISE_OR:
                or(a, leftAt, b, rightAt, count);
                break;
            case LOGICAL_XOR:
            case BITWISE_XOR:
                xor(a, leftAt, b, rightAt, count);
                break;
            default:
                throw new IllegalArgumentException(operation + " makes no sense for booleans");
        }
    }

    private static void and(boolean[] a, int leftAt, boolean[] b, int rightAt, int count) {
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] & b[rightAt + i];
        }
    }

    private static void or(boolean[] a, int leftAt, boolean[] b, int rightAt, int count) {
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] | b[rightAt + i];
        }
    }

    private static void xor(boolean[] a, int leftAt, boolean[] b, int rightAt, int count) {
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] ^ b[rightAt + i];
        }
    }
}
