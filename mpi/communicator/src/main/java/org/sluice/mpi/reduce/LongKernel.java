package org.sluice.mpi.reduce;

/** As {@link Kernel}, for longs. */
final class LongKernel implements Kernel {
    static final LongKernel KERNEL = new LongKernel();

    private LongKernel() {}

    @Override
    public boolean takes(Operation operation) {
        return operation != Operation.COMPLEX_PRODUCT;
    }

    @Override
    public void apply(Operation operation, Object left, int leftAt, Object right, int rightAt, int count) {
        long[] a = (long[]) left;
        long[] b = (long[]) right;
        switch (operation) {
            case SUM:
                sum(a, leftAt, b, rightAt, count);
                break;
            case PRODUCT:
                product(a, leftAt, b, rightAt, count);
                break;
            case MAX:
                max(a, leftAt, b, rightAt, count);
                break;
            case MIN:
                min(a, leftAt, b, rightAt, count);
                break;
            case LOGICAL_AND:
                logicalAnd(a, leftAt, b, rightAt, count);
                break;
            case LOGICAL_OR:
                logicalOr(a, leftAt, b, rightAt, count);
                break;
            case LOGICAL_XOR:
                logicalXor(a, leftAt, b, rightAt, count);
                break;
            case BITWISE_AND:
                bitwiseAnd(a, leftAt, b, rightAt, count);
                break;
            case BITWISE_OR:
                bitwiseOr(a, leftAt, b, rightAt, count);
                break;
            case BITWISE_XOR:
                bitwiseXor(a, leftAt, b, rightAt, count);
                break;
            case MAX_LOCATION:
                locate(a, leftAt, b, rightAt, count, false);
                break;
            case MIN_LOCATION:
                locate(a, leftAt, b, rightAt, count, true);
                break;
            default:
                throw new IllegalArgumentException(operation + " makes no sense for longs");
        }
    }

    private static void sum(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = a[i] + b[i];
            }
            return;
        }
        if (count < FEW) {
            for (int i = 0; i < count; i++) {
                b[rightAt + i] = a[leftAt + i] + b[rightAt + i];
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] + b[rightAt + i];
        }
    }

    private static void product(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = a[i] * b[i];
            }
            return;
        }
        if (count < FEW) {
            for (int i = 0; i < count; i++) {
                b[rightAt + i] = a[leftAt + i] * b[rightAt + i];
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] * b[rightAt + i];
        }
    }

    private static void max(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = Math.max(a[i], b[i]);
            }
            return;
        }
        if (count < FEW) {
            for (int i = 0; i < count; i++) {
                b[rightAt + i] = Math.max(a[leftAt + i], b[rightAt + i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = Math.max(a[leftAt + i], b[rightAt + i]);
        }
    }

    private static void min(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = Math.min(a[i], b[i]);
            }
            return;
        }
        if (count < FEW) {
            for (int i = 0; i < count; i++) {
                b[rightAt + i] = Math.min(a[leftAt + i], b[rightAt + i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = Math.min(a[leftAt + i], b[rightAt + i]);
        }
    }

    private static void logicalAnd(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = a[i] != 0 && b[i] != 0 ? 1 : 0;
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] != 0 && b[rightAt + i] != 0 ? 1 : 0;
        }
    }

    private static void logicalOr(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = a[i] != 0 || b[i] != 0 ? 1 : 0;
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] != 0 || b[rightAt + i] != 0 ? 1 : 0;
        }
    }

    private static void logicalXor(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (a[i] != 0) != (b[i] != 0) ? 1 : 0;
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (a[leftAt + i] != 0) != (b[rightAt + i] != 0) ? 1 : 0;
        }
    }

    private static void bitwiseAnd(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = a[i] & b[i];
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] & b[rightAt + i];
        }
    }

    private static void bitwiseOr(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = a[i] | b[i];
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] | b[rightAt + i];
        }
    }

    private static void bitwiseXor(long[] a, int leftAt, long[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = a[i] ^ b[i];
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = a[leftAt + i] ^ b[rightAt + i];
        }
    }

    private static void locate(long[] a, int leftAt, long[] b, int rightAt, int count, boolean lowest) {
        for (int i = 0; i < count; i += 2) {
            long left = a[leftAt + i];
            long right = b[rightAt + i];
            boolean isLeft = lowest ? left < right : left > right;
            if (isLeft || left == right && a[leftAt + i + 1] < b[rightAt + i + 1]) {
                b[rightAt + i] = left;
                b[rightAt + i + 1] = a[leftAt + i + 1];
            }
        }
    }
}
