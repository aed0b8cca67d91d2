package org.sluice.mpi.reduce;

/** As {@link Kernel}, for doubles. */
final class DoubleKernel implements Kernel {
    static final DoubleKernel KERNEL = new DoubleKernel();

    private DoubleKernel() {}

    @Override
    public boolean takes(Operation operation) {
        return operation.ordinal() < Operation.LOGICAL_AND.ordinal() || operation.takesPairs();
    }

    @Override
    public void apply(Operation operation, Object left, int leftAt, Object right, int rightAt, int count) {
        double[] a = (double[]) left;
        double[] b = (double[]) right;
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
                throw new IllegalArgumentException(operation + " makes no sense for doubles");
        }
    }

    private static void sum(double[] a, int leftAt, double[] b, int rightAt, int count) {
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

    private static void product(double[] a, int leftAt, double[] b, int rightAt, int count) {
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

    private static void max(double[] a, int leftAt, double[] b, int rightAt, int count) {
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

    private static void min(double[] a, int leftAt, double[] b, int rightAt, int count) {
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

    private static void locate(double[] a, int leftAt, double[] b, int rightAt, int count, boolean lowest) {
        for (int i = 0; i < count; i += 2) {
            double left = a[leftAt + i];
            double right = b[rightAt + i];
            boolean isLeft = lowest ? left < right : left > right;
            if (isLeft || left == right && a[leftAt + i + 1] < b[rightAt + i + 1]) {
                b[rightAt + i] = left;
                b[rightAt + i + 1] = a[leftAt + i + 1];
            }
        }
    }

    private static void complexProduct(double[] a, int leftAt, double[] b, int rightAt, int count) {
        for (int i = 0; i < count; i += 2) {
            double real = a[leftAt + i];
            double imaginary = a[leftAt + i + 1];
            double otherReal = b[rightAt + i];
            double otherImaginary = b[rightAt + i + 1];
            b[rightAt + i] = real * otherReal - imaginary * otherImaginary;
            b[rightAt + i + 1] = real * otherImaginary + imaginary * otherReal;
        }
    }
}
