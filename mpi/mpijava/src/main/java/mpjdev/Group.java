package mpjdev;

import xdev.ProcessID;

/** Ranks in an order, as {@code mpi.Group} has them below. */
public abstract class Group {
    public static final int NO_RANK = -1;
    public static final int IDENT = 0;
    public static final int CONGRUENT = 3;
    public static final int SIMILAR = 1;
    public static final int UNEQUAL = 2;

    /** The members, by rank. */
    public ProcessID[] ids;
    /** This rank's own; null if it is no member. */
    public ProcessID myID;
    /** This rank in the group, or {@link #NO_RANK}. */
    public int rank;

    public int size;

    public Group() {}

    public int size() {
        return size;
    }

    public int rank() {
        return rank;
    }

    /** Nothing is kept that would have to be freed. */
    public void free() {}
}
