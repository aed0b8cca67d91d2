package example.mpijava;

import java.util.Arrays;
import mpi.Group;
import org.sluice.mpi.cases.MpiUnderTest.Ranks;

/** A group of MPJ Express's dialect. */
final class MpijavaGroup implements Ranks {
    final Group group;

    MpijavaGroup(Group group) {
        this.group = group;
    }

    private static Group of(Ranks ranks) {
        return ((MpijavaGroup) ranks).group;
    }

    @Override
    public int size() {
        return group.Size();
    }

    @Override
    public int rank() {
        return MpijavaUnderTest.defined(group.Rank());
    }

    @Override
    public Ranks including(int... ranks) {
        return new MpijavaGroup(group.Incl(ranks));
    }

    @Override
    public Ranks excluding(int... ranks) {
        return new MpijavaGroup(group.Excl(ranks));
    }

    @Override
    public Ranks includingRanges(int[]... ranges) {
        return new MpijavaGroup(group.Range_incl(ranges));
    }

    @Override
    public Ranks excludingRanges(int[]... ranges) {
        return new MpijavaGroup(group.Range_excl(ranges));
    }

    @Override
    public Ranks union(Ranks other) {
        return new MpijavaGroup(Group.Union(group, of(other)));
    }

    @Override
    public Ranks intersection(Ranks other) {
        return new MpijavaGroup(Group.Intersection(group, of(other)));
    }

    @Override
    public Ranks difference(Ranks other) {
        return new MpijavaGroup(Group.Difference(group, of(other)));
    }

    @Override
    public String compare(Ranks other) {
        return MpijavaUnderTest.comparison(Group.Compare(group, of(other)));
    }

    @Override
    public int[] translate(int[] ranks, Ranks other) {
        return Arrays.stream(Group.Translate_ranks(group, ranks, of(other)))
                .map(MpijavaUnderTest::defined)
                .toArray();
    }
}
