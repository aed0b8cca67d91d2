package mpi;

import org.sluice.mpi.Communicator;

/** MPI_Group: a set of ranks in an order. */
public final class Group implements Freeable {
    private org.sluice.mpi.Group group;

    Group(org.sluice.mpi.Group group) {
        this.group = group;
    }

    org.sluice.mpi.Group group() throws MPIException {
        MPI.check();
        if (group == null) {
            throw Errors.of(MPI.ERR_GROUP, "this group is null or was freed");
        }
        return group;
    }

    static org.sluice.mpi.Group of(Group group) throws MPIException {
        if (group == null) {
            throw Errors.of(MPI.ERR_GROUP, "the group is null: MPI.GROUP_EMPTY is one without ranks");
        }
        return group.group();
    }

    /** MPI_Group_size. */
    public int getSize() throws MPIException {
        return group().size();
    }

    /** MPI_Group_rank: {@link MPI#UNDEFINED} if this rank isn't in it. */
    public int getRank() throws MPIException {
        return orUndefined(group().rankOf(MPI.device().rank()));
    }

    private static int orUndefined(int rank) {
        return rank == org.sluice.mpi.Group.NO_RANK ? MPI.UNDEFINED : rank;
    }

    /** MPI_Group_free. */
    @Override
    public void free() throws MPIException {
        group();
        group = null;
    }

    public boolean isNull() {
        return group == null;
    }

    /** MPI_Group_translate_ranks: {@link MPI#UNDEFINED} for those that the second group hasn't. */
    public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
        org.sluice.mpi.Group from = of(group1);
        org.sluice.mpi.Group to = of(group2);
        try {
            int[] given = ranks1.clone();
            for (int i = 0; i < given.length; i++) {
                given[i] = given[i] == MPI.PROC_NULL ? Communicator.PROC_NULL : given[i];
            }
            int[] found = from.translate(given, to);
            for (int i = 0; i < found.length; i++) {
                found[i] = found[i] == Communicator.PROC_NULL ? MPI.PROC_NULL : orUndefined(found[i]);
            }
            return found;
        } catch (IllegalArgumentException e) {
            throw new MPIException(MPI.ERR_RANK, e.getMessage(), e);
        }
    }

    /** MPI_Group_compare: {@link MPI#IDENT}, {@link MPI#SIMILAR} or {@link MPI#UNEQUAL}. */
    public static int compare(Group group1, Group group2) throws MPIException {
        switch (of(group1).compare(of(group2))) {
            case IDENTICAL:
                return MPI.IDENT;
            case SIMILAR:
                return MPI.SIMILAR;
            default:
                return MPI.UNEQUAL;
        }
    }

    /** MPI_Group_union. */
    public static Group union(Group group1, Group group2) throws MPIException {
        return new Group(of(group1).union(of(group2)));
    }

    /** MPI_Group_intersection. */
    public static Group intersection(Group group1, Group group2) throws MPIException {
        return new Group(of(group1).intersection(of(group2)));
    }

    /** MPI_Group_difference. */
    public static Group difference(Group group1, Group group2) throws MPIException {
        return new Group(of(group1).difference(of(group2)));
    }

    private interface Choice {
        org.sluice.mpi.Group from(org.sluice.mpi.Group group);
    }

    private Group chosen(Choice choice) throws MPIException {
        org.sluice.mpi.Group all = group();
        try {
            return new Group(choice.from(all));
        } catch (IllegalArgumentException e) {
            throw new MPIException(MPI.ERR_RANK, e.getMessage(), e);
        }
    }

    /** MPI_Group_incl. */
    public Group incl(int[] ranks) throws MPIException {
        return chosen(group -> group.include(ranks));
    }

    /** MPI_Group_excl. */
    public Group excl(int[] ranks) throws MPIException {
        return chosen(group -> group.exclude(ranks));
    }

    /** MPI_Group_range_incl: each range has a first, a last and a stride. */
    public Group rangeIncl(int[][] ranges) throws MPIException {
        return chosen(group -> group.includeRanges(ranges));
    }

    /** MPI_Group_range_excl: each range has a first, a last and a stride. */
    public Group rangeExcl(int[][] ranges) throws MPIException {
        return chosen(group -> group.excludeRanges(ranges));
    }
}
