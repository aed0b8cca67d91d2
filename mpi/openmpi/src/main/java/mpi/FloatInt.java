package mpi;

/** A float and an index, as {@link MPI#FLOAT_INT} has it. */
public final class FloatInt extends Struct {
    private final int value = addFloat();
    private final int index = addInt();

    FloatInt() {}

    @Override
    Datatype basic() {
        return MPI.FLOAT_INT;
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** One pair where it lies in a buffer. */
    public final class Data extends Struct.Data {
        public float getValue() {
            return getFloat(value);
        }

        public int getIndex() {
            return getInt(index);
        }

        public void putValue(float v) {
            putFloat(value, v);
        }

        public void putIndex(int i) {
            putInt(index, i);
        }
    }
}
