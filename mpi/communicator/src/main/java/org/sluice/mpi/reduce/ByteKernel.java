package org.sluice.mpi.reduce;

/** As {@link Kernel}, for bytes. */
final class ByteKernel implements Kernel {
    static final ByteKernel KERNEL = new ByteKernel();

    private ByteKernel() {}

    @Override
    public boolean takes(Operation operation) {
        return operation != Operation.COMPLEX_PRODUCT;
    }

    @Override
    public void apply(Operation operation, Object left, int leftAt, Object right, int rightAt, int count) {
        byte[] a = (byte[]) left;
        byte[] b = (byte[]) right;
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
                throw new IllegalArgumentException(operation + " makes no sense for bytes");
        }
    }

    private static void sum(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) (a[i] + b[i]);
            }
            return;
        }
        if (count < FEW) {
            for (int i = 0; i < count; i++) {
                b[rightAt + i] = (byte) (a[leftAt + i] + b[rightAt + i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) (a[leftAt + i] + b[rightAt + i]);
        }
    }

    private static void product(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) (a[i] * b[i]);
            }
            return;
        }
        if (count < FEW) {
            for (int i = 0; i < count; i++) {
                b[rightAt + i] = (byte) (a[leftAt + i] * b[rightAt + i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) (a[leftAt + i] * b[rightAt + i]);
        }
    }

    private static void max(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) Math.max(a[i], b[i]);
            }
            return;
        }
        if (count < FEW) {
            for (int i = 0; i < count; i++) {
                b[rightAt + i] = (byte) Math.max(a[leftAt + i], b[rightAt + i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) Math.max(a[leftAt + i], b[rightAt + i]);
        }
    }

    private static void min(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) Math.min(a[i], b[i]);
            }
            return;
        }
        if (count < FEW) {
            for (int i = 0; i < count; i++) {
                b[rightAt + i] = (byte) Math.min(a[leftAt + i], b[rightAt + i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) Math.min(a[leftAt + i], b[rightAt + i]);
        }
    }

    private static void logicalAnd(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) (a[i] != 0 && b[i] != 0 ? 1 : 0);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) (a[leftAt + i] != 0 && b[rightAt + i] != 0 ? 1 : 0);
        }
    }

    private static void logicalOr(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) (a[i] != 0 || b[i] != 0 ? 1 : 0);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) (a[leftAt + i] != 0 || b[rightAt + i] != 0 ? 1 : 0);
        }
    }

    private static void logicalXor(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) ((a[i] != 0) != (b[i] != 0) ? 1 : 0);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) ((a[leftAt + i] != 0) != (b[rightAt + i] != 0) ? 1 : 0);
        }
    }

    private static void bitwiseAnd(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) (a[i] & b[i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) (a[leftAt + i] & b[rightAt + i]);
        }
    }

    private static void bitwiseOr(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) (a[i] | b[i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) (a[leftAt + i] | b[rightAt + i]);
        }
    }

    private static void bitwiseXor(byte[] a, int leftAt, byte[] b, int rightAt, int count) {
        if (leftAt == rightAt && count >= FEW) {
            int end = leftAt + count;
            for (int i = leftAt; i < end; i++) {
                b[i] = (byte) (a[i] ^ b[i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            b[rightAt + i] = (byte) (a[leftAt + i] ^ b[rightAt + i]);
        }
    }

    private static void locate(byte[] a, int leftAt, byte[] b, int rightAt, int count, boolean lowest) {
        for (int i = 0; i < count; i += 2) {
            byte left = a[leftAt + i];
            byte right = b[rightAt + i];
            boolean isLeft = lowest ? left < right : left > right;
            if (isLeft || left == right && a[leftAt + i + 1] < b[rightAt + i + 1]) {
                b[rightAt + i] = left;
                b[rightAt + i + 1] = a[leftAt + i + 1];
            }
        }
    }
}
