package mpi;

/** MPI_Count: a number that an int can't hold. */
@SuppressWarnings("rawtypes")
public final class Count implements Comparable {
    private long count;

    public Count(long count) {
        this.count = count;
    }

    public long getCount() {
        return count;
    }

    public void setCount(long count) {
        this.count = count;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Count && ((Count) other).count == count;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(count);
    }

    /** What isn't a count comes behind all that are. */
    @Override
    public int compareTo(Object other) {
        return other instanceof Count ? Long.compare(count, ((Count) other).count) : -1;
    }

    @Override
    public String toString() {
        return Long.toString(count);
    }
}
