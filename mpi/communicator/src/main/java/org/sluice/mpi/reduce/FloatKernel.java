package org.sluice.mpi.reduce;

/** As {@link Kernel}, for floats. */
final class FloatKernel implements Kernel {
    static final FloatKernel KERNEL = new FloatKernel();

    private FloatKernel() {}

    @Override
    public boolean takes(Operation operation) {
        return operation.ordinal() < Operation.LOGICAL_AND.ordinal() || operation.takesPairs();
    }

    @Override
    public void apply(Operation operation, Object left, int leftAt, Object right, int rightAt, int count) {
        float[] a = (float[]) left;
        float[] b = (float[]) right;
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
            case MAX_LOCATION:
                locate(a, leftAt, b, rightAt, count, false);
                break;
            case MIN_LOCATION:
                locate(a, leftAt, b, rightAt, count, true);
                break;
            case COMPLEX_PRODUCT:
                complexProduct(a, leftAt, b, rightAt, count);
                break;
            default:
                throw new IllegalArgumentException(operation + " makes no sense for floats");
        }
    }

    private static void sum(float[] a, int leftAt, float[] b, int rightAt, int count) {
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

    private static void product(float[] a, int leftAt, float[] b, int rightAt, int count) {
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

    private static void max(float[] a, int leftAt, float[] b, int rightAt, int count) {
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

    private static void min(float[] a, int leftAt, float[] b, int rightAt, int count) {
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

    private static void locate(float[] a, int leftAt, float[] b, int rightAt, int count, boolean lowest) {
        for (int i = 0; i < count; i += 2) {
            float left = a[leftAt + i];
            float right = b[rightAt + i];
            boolean isLeft = lowest ? left < right : left > right;
            if (isLeft || left == right && a[leftAt + i + 1] < b[rightAt + i + 1]) {
                b[rightAt + i] = left;
                b[rightAt + i + 1] = a[leftAt + i + 1];
            }
        }
    }

    private static void complexProduct(float[] a, int leftAt, float[] b, int rightAt, int count) {
        for (int i = 0; i < count; i += 2) {
            float real = a[leftAt + i];
            float imaginary = a[leftAt + i + 1];
            float otherReal = b[rightAt + i];
            float otherImaginary = b[rightAt + i + 1];
            b[rightAt + i] = real * otherReal - imaginary * otherImaginary;
            b[rightAt + i + 1] = real * otherImaginary + imaginary * otherReal;
        }
    }
}
