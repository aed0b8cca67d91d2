package mpi;

/** An int and an index, as {@link MPI#INT2} has it. */
public final class Int2 extends Struct {
    private final int value = addInt();
    private final int index = addInt();

    Int2() {}

    @Override
    Datatype basic() {
        return MPI.INT2;
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** One pair where it lies in a buffer. */
    public final class Data extends Struct.Data {
        public int getValue() {
            return getInt(value);
        }

        public int getIndex() {
            return getInt(index);
        }

        public void putValue(int v) {
            putInt(value, v);
        }

        public void putIndex(int i) {
            putInt(index, i);
        }
    }
}
