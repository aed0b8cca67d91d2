package org.sluice.mpi;

import java.util.Arrays;
import org.sluice.mpi.Communicator.Comparison;
import org.sluice.mpi.schedule.Ranks;

/**
 * Two groups of ranks, with a message space of their own (MPI 4.1, sections 6.2.2 and 7.6). {@link #rank} and
 * {@link #size} are those of the own group, while messages go to ranks of the other one and come from there.
 *
 * <p><b>Collectives</b> are called by all ranks of both groups, and what one group contributes the other one gets: the
 * reduction of allReduce is that of the other group's ranks, a block of allGather or allToAll is for, or from, a rank
 * of the other group. With a root, the root itself gives {@link #ROOT}, the others of its group {@link #PROC_NULL}, for
 * whom buffers are not looked at, and the ranks of the other group give its rank there; those contribute, or get the
 * result. The blocks of reduceScatter are those of the own group, whose counts add up to what each rank of the other
 * group contributes. {@link Data#IN_PLACE} has no place here, and there is no scan.
 *
 * <p><i>Thread</i>, <i>Fails</i>: as {@link Communicator}.
 */
public final class Intercommunicator extends AgreedSpace {
    /** As a root: this rank itself. */
    public static final int ROOT = -5;

    private final Sides sides;

    Intercommunicator(Spaces spaces, Sides sides, int number, String name) {
        super(
                spaces,
                new Ranks(sides.remote(), spaces.layer().device().size()),
                new InterCall(spaces.layer(), sides),
                number,
                name);
        this.sides = sides;
    }

    /** The own group. */
    public Group group() {
        return Group.ofDevice(sides.local());
    }

    /** The other group, whose ranks messages go to. */
    public Group remoteGroup() {
        return Group.ofDevice(sides.remote());
    }

    /** Ranks of the other group. */
    public int remoteSize() {
        return sides.remote().length;
    }

    /** How this one and another are alike, on this rank: similar ones have the same ranks in each group. */
    public Comparison compare(Intercommunicator other) {
        if (this == other) {
            return Comparison.IDENTICAL;
        }
        Group.Comparison here = group().compare(other.group());
        Group.Comparison there = remoteGroup().compare(other.remoteGroup());
        if (here == Group.Comparison.UNEQUAL || there == Group.Comparison.UNEQUAL) {
            return Comparison.UNEQUAL;
        }
        return here == there && here == Group.Comparison.IDENTICAL ? Comparison.CONGRUENT : Comparison.SIMILAR;
    }

    /**
     * The same groups, with a message space of their own, and copies of the attributes. All ranks of both groups call
     * it.
     */
    public Intercommunicator duplicate() {
        return duplicateAs(created -> new Intercommunicator(spaces, sides, created, name + ".duplicate"));
    }

    /** As {@link #duplicate}, without waiting for the others (MPI_Comm_idup). */
    public DuplicateRequest<Intercommunicator> iduplicate() {
        return startDuplicate(created -> new Intercommunicator(spaces, sides, created, name + ".duplicate"));
    }

    /**
     * A communicator of the ranks of both groups, which all of them call.
     *
     * @param high whether this group's ranks come after the other's, the same at all of them; if both groups give the
     *     same, those of the group with the job's lower first rank come first
     */
    public Communicator merge(boolean high) {
        return made(() -> {
            long[] told = new long[2];
            told[sides.localAt() == 0 ? 0 : 1] = high ? 2 : 1;
            long[] all = new long[2];
            unite(told, all);
            if (all[0] == 3 || all[1] == 3) {
                throw new IllegalArgumentException(
                        "ranks of one group gave true and false for high: all of a group" + " give the same");
            }
            boolean areTurned = all[0] == 2 && all[1] == 1;
            boolean isFirst = sides.localAt() == 0 != areTurned;
            int[] first = isFirst ? sides.local() : sides.remote();
            int[] last = isFirst ? sides.remote() : sides.local();
            int[] members = Arrays.copyOf(first, first.length + last.length);
            System.arraycopy(last, 0, members, first.length, last.length);
            return new Communicator(layer, spaces, members, newNumber(), name + ".merge");
        });
    }

    /** All bits that any rank of both groups has set. */
    private void unite(Object told, Object all) {
        Call call = take();
        call.agree(told, all, Reduction.BITWISE_OR);
        onItsWay(call);
        runSchedule(call);
    }

    /**
     * Of those ranks of both groups that give the same colour, each group ordered as in {@link Communicator#split}. All
     * ranks of both groups call it.
     *
     * @param colour 0 or more, or negative for a rank that is in none
     * @return null for such a rank, and if no rank of the other group gives this colour
     */
    public Intercommunicator split(int colour, int key) {
        return made(() -> splitBy(colour, key));
    }

    private Intercommunicator splitBy(int colour, int key) {
        int[] told = new int[2 * (size() + remoteSize())];
        told[2 * sides.own()] = colour;
        told[2 * sides.own() + 1] = key;
        int[] all = new int[told.length];
        unite(told, all);
        int created = newNumber();
        int[] local = chosen(all, sides.localAt(), sides.local(), colour);
        int[] remote = chosen(all, sides.remoteAt(), sides.remote(), colour);
        if (colour < 0 || remote.length == 0) {
            spaces.giveBack(created);
            return null;
        }
        int own = Group.ofDevice(local).rankOf(layer.device().rank());
        return new Intercommunicator(
                spaces, Sides.of(local, remote, own, layer.device().size()), created, name + ".split");
    }

    private static int[] chosen(int[] all, int from, int[] group, int colour) {
        int[] chosen = Communicator.chosen(Arrays.copyOfRange(all, 2 * from, 2 * (from + group.length)), colour);
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = group[chosen[i]];
        }
        return chosen;
    }

    /**
     * Of a group of each side, ranks of the own group, which all ranks of a side give alike. All ranks of both groups
     * call it.
     *
     * @return null for a rank that isn't in its side's, and if that of the other side is empty
     */
    public Intercommunicator create(Group group) {
        if (group.difference(group()).size() > 0) {
            throw new IllegalArgumentException(group + " has ranks that aren't in the own group " + group());
        }
        int place = group.rankOf(layer.device().rank());
        return split(place < 0 ? -1 : 0, place);
    }

    /** What groups have in common goes from leader to leader anyway. */
    @Override
    Tiers makeTiers() {
        return null;
    }

    @Override
    public String toString() {
        // What is there before the sides are: it may break down as soon as it has its number.
        return "Intercommunicator[" + name + ", rank " + rank + " of " + size() + ", other group of " + ranks.size()
                + "]";
    }
}
