package mpi;

/** A double and an index, as {@link MPI#DOUBLE_INT} has it. */
public final class DoubleInt extends Struct {
    private final int value = addDouble();
    private final int index = addInt();

    DoubleInt() {}

    @Override
    Datatype basic() {
        return MPI.DOUBLE_INT;
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** One pair where it lies in a buffer. */
    public final class Data extends Struct.Data {
        public double getValue() {
            return getDouble(value);
        }

        public int getIndex() {
            return getInt(index);
        }

        public void putValue(double v) {
            putDouble(value, v);
        }

        public void putIndex(int i) {
            putInt(index, i);
        }
    }
}
