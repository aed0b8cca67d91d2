package mpi;

/** A long and an index, as {@link MPI#LONG_INT} has it. */
public final class LongInt extends Struct {
    private final int value = addLong();
    private final int index = addInt();

    LongInt() {}

    @Override
    Datatype basic() {
        return MPI.LONG_INT;
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** One pair where it lies in a buffer. */
    public final class Data extends Struct.Data {
        public long getValue() {
            return getLong(value);
        }

        public int getIndex() {
            return getInt(index);
        }

        public void putValue(long v) {
            putLong(value, v);
        }

        public void putIndex(int i) {
            putInt(index, i);
        }
    }
}
