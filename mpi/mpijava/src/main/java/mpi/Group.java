package mpi;

import java.util.function.Supplier;

/** Ranks in an order. Immutable, and so needs no free. <i>Thread</i>: any. */
public class Group implements Freeable {
    static final int NULL = 2;
    public static final int EMPTY = 3;

    /** {@link #EMPTY} of {@code MPI.GROUP_EMPTY}, 2 of {@code MPI.GROUP_NULL}, else -1. */
    public int code = -1;
    /** What is below it; null of {@code MPI.GROUP_NULL}. */
    public mpjdev.Group mpjdevGroup;

    /** The same ranks as another's; null for none. */
    public Group(mpjdev.Group mpjdevGroup) {
        if (mpjdevGroup != null && !(mpjdevGroup instanceof Members)) {
            throw new MPIException("a group is made of another one's mpjdevGroup, not of a "
                    + mpjdevGroup.getClass().getName());
        }
        this.mpjdevGroup = mpjdevGroup == null ? new Members(org.sluice.mpi.Group.EMPTY) : mpjdevGroup;
    }

    Group(int code) {
        this.code = code;
        this.mpjdevGroup = code == EMPTY ? new Members(org.sluice.mpi.Group.EMPTY) : null;
    }

    static Group of(org.sluice.mpi.Group members) {
        return new Group(new Members(members));
    }

    /** Does nothing. */
    @Override
    public void free() {}

    /** Does nothing. */
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    public void finalize() throws MPIException {}

    org.sluice.mpi.Group members() {
        if (mpjdevGroup == null) {
            throw new MPIException("MPI.GROUP_NULL is no group: MPI.GROUP_EMPTY is one without ranks");
        }
        return ((Members) mpjdevGroup).group;
    }

    private static org.sluice.mpi.Group members(Group group) {
        if (group == null) {
            throw new MPIException("the group is null");
        }
        return group.members();
    }

    private static Group made(Supplier<org.sluice.mpi.Group> members) {
        try {
            return of(members.get());
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    private static <T> T checked(T array, String what) {
        if (array == null) {
            throw new MPIException("the array of " + what + " is null");
        }
        return array;
    }

    public int Size() throws MPIException {
        return mpjdevGroup == null ? MPI.UNDEFINED : mpjdevGroup.size();
    }

    /** This rank in the group; {@code MPI.UNDEFINED} if it isn't in it. */
    public int Rank() throws MPIException {
        members();
        return mpjdevGroup.rank();
    }

    /** What ranks of the first group are in the second; {@code MPI.UNDEFINED} for those that aren't in it. */
    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) throws MPIException {
        try {
            return members(group1).translate(checked(ranks1, "ranks"), members(group2));
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** {@code MPI.IDENT}, {@code MPI.SIMILAR} or {@code MPI.UNEQUAL}. */
    public static int Compare(Group group1, Group group2) throws MPIException {
        switch (members(group1).compare(members(group2))) {
            case IDENTICAL:
                return MPI.IDENT;
            case SIMILAR:
                return MPI.SIMILAR;
            default:
                return MPI.UNEQUAL;
        }
    }

    public static Group Union(Group group1, Group group2) throws MPIException {
        return made(() -> members(group1).union(members(group2)));
    }

    public static Group Intersection(Group group1, Group group2) throws MPIException {
        return made(() -> members(group1).intersection(members(group2)));
    }

    public static Group Difference(Group group1, Group group2) throws MPIException {
        return made(() -> members(group1).difference(members(group2)));
    }

    /** These ranks, in this order. */
    public Group Incl(int[] ranks) throws MPIException {
        return checked(ranks, "ranks").length == 0
                ? MPI.GROUP_EMPTY
                : made(() -> members().include(ranks));
    }

    /** All but these ranks. */
    public Group Excl(int[] ranks) throws MPIException {
        return checked(ranks, "ranks").length == 0 ? this : made(() -> members().exclude(ranks));
    }

    /** @param ranges each of a first and last rank and a stride */
    public Group Range_incl(int[][] ranges) throws MPIException {
        checked(ranges, "ranges");
        return made(() -> members().includeRanges(ranges));
    }

    /** As {@link #Range_incl}: all but those. */
    public Group Range_excl(int[][] ranges) throws MPIException {
        checked(ranges, "ranges");
        return made(() -> members().excludeRanges(ranges));
    }
}
