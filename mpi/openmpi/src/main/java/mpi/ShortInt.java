package mpi;

/** A short and an index, as {@link MPI#SHORT_INT} has it. */
public final class ShortInt extends Struct {
    private final int value = addShort();
    private final int index = setOffset(Integer.BYTES).addInt();

    ShortInt() {}

    @Override
    Datatype basic() {
        return MPI.SHORT_INT;
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** One pair where it lies in a buffer. */
    public final class Data extends Struct.Data {
        public short getValue() {
            return getShort(value);
        }

        public int getIndex() {
            return getInt(index);
        }

        public void putValue(short v) {
            putShort(value, v);
        }

        public void putIndex(int i) {
            putInt(index, i);
        }
    }
}
