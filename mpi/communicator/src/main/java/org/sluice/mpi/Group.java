package org.sluice.mpi;

import java.util.Arrays;

/**
 * A set of ranks in an order: a rank of the group is a place in it. Immutable. Ranks are given and told as the device
 * numbers them by {@link #member}, and as the group does everywhere else.
 */
public final class Group {
    /** A group without members. */
    public static final Group EMPTY = new Group(new int[0]);

    /** As a rank: this one isn't in the group. */
    public static final int NO_RANK = -1;

    /** What {@link #compare} finds. */
    public enum Comparison {
        /** The same members in the same order. */
        IDENTICAL,
        /** The same members in another order. */
        SIMILAR,
        UNEQUAL
    }

    private final int[] members;

    private Group(int[] members) {
        this.members = members;
    }

    /** @param ranks of the device, each at most once */
    static Group ofDevice(int[] ranks) {
        return new Group(ranks.clone());
    }

    public int size() {
        return members.length;
    }

    /** The rank in the device's job. */
    public int member(int rank) {
        checkRank(rank);
        return members[rank];
    }

    int[] members() {
        return members.clone();
    }

    /** @return {@link #NO_RANK} for one that isn't a member */
    public int rankOf(int rankInJob) {
        for (int i = 0; i < members.length; i++) {
            if (members[i] == rankInJob) {
                return i;
            }
        }
        return NO_RANK;
    }

    private void checkRank(int rank) {
        if (rank < 0 || rank >= members.length) {
            throw new IllegalArgumentException("rank " + rank + " isn't in this group, which has "
                    + (members.length == 0 ? "no members" : "ranks 0 to " + (members.length - 1)));
        }
    }

    /** The ranks of another group that these ranks of this one have; {@link #NO_RANK} for those it hasn't. */
    public int[] translate(int[] ranks, Group other) {
        int[] translated = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            translated[i] = ranks[i] == Communicator.PROC_NULL ? ranks[i] : other.rankOf(member(ranks[i]));
        }
        return translated;
    }

    /** These ranks, in this order. */
    public Group include(int... ranks) {
        int[] chosen = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            chosen[i] = member(ranks[i]);
        }
        refuseTwice(chosen);
        return new Group(chosen);
    }

    /** All but these ranks, in the order of this group. */
    public Group exclude(int... ranks) {
        boolean[] isOut = new boolean[members.length];
        for (int rank : ranks) {
            checkRank(rank);
            if (isOut[rank]) {
                throw new IllegalArgumentException("rank " + rank + " is given twice");
            }
            isOut[rank] = true;
        }
        int[] left = new int[members.length - ranks.length];
        int count = 0;
        for (int i = 0; i < members.length; i++) {
            if (!isOut[i]) {
                left[count++] = members[i];
            }
        }
        return new Group(left);
    }

    /** As {@link #include}, for ranges of first, last and stride. */
    public Group includeRanges(int[]... ranges) {
        return include(ranks(ranges));
    }

    /** As {@link #exclude}, for ranges of first, last and stride. */
    public Group excludeRanges(int[]... ranges) {
        return exclude(ranks(ranges));
    }

    private int[] ranks(int[][] ranges) {
        int[] ranks = new int[members.length];
        int count = 0;
        for (int[] range : ranges) {
            if (range.length != 3 || range[2] == 0) {
                throw new IllegalArgumentException(
                        "the range " + Arrays.toString(range) + " is none: give first, last and a stride other than 0");
            }
            boolean isRising = range[2] > 0;
            for (long rank = range[0]; isRising ? rank <= range[1] : rank >= range[1]; rank += range[2]) {
                checkRank((int) rank);
                if (count == ranks.length) {
                    ranks = Arrays.copyOf(ranks, 2 * count);
                }
                ranks[count++] = (int) rank;
            }
        }
        return Arrays.copyOf(ranks, count);
    }

    private static void refuseTwice(int[] ranks) {
        int[] sorted = ranks.clone();
        Arrays.sort(sorted);
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                throw new IllegalArgumentException("a rank is given twice: that which is " + sorted[i] + " in the job");
            }
        }
    }

    /** The members of this group, then those of the other that aren't in it. */
    public Group union(Group other) {
        Group more = other.difference(this);
        int[] all = Arrays.copyOf(members, members.length + more.members.length);
        System.arraycopy(more.members, 0, all, members.length, more.members.length);
        return new Group(all);
    }

    /** The members of this group that are in the other, in the order of this one. */
    public Group intersection(Group other) {
        return new Group(
                Arrays.stream(members).filter(m -> other.rankOf(m) != NO_RANK).toArray());
    }

    /** The members of this group that aren't in the other, in the order of this one. */
    public Group difference(Group other) {
        return new Group(
                Arrays.stream(members).filter(m -> other.rankOf(m) == NO_RANK).toArray());
    }

    public Comparison compare(Group other) {
        if (Arrays.equals(members, other.members)) {
            return Comparison.IDENTICAL;
        }
        return members.length == other.members.length && difference(other).size() == 0
                ? Comparison.SIMILAR
                : Comparison.UNEQUAL;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Group && Arrays.equals(members, ((Group) other).members);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(members);
    }

    @Override
    public String toString() {
        return "Group" + Arrays.toString(members);
    }
}
