package example.openmpi;

import java.util.Arrays;
import mpi.Group;
import mpi.MPIException;
import org.sluice.mpi.cases.MpiUnderTest.Ranks;

/** A group of Open MPI's dialect. */
final class OpenMpiGroup implements Ranks {
    final Group group;

    OpenMpiGroup(Group group) {
        this.group = group;
    }

    private static Group of(Ranks ranks) {
        return ((OpenMpiGroup) ranks).group;
    }

    @Override
    public int size() throws MPIException {
        return group.getSize();
    }

    @Override
    public int rank() throws MPIException {
        return OpenMpiUnderTest.defined(group.getRank());
    }

    @Override
    public Ranks including(int... ranks) throws MPIException {
        return new OpenMpiGroup(group.incl(ranks));
    }

    @Override
    public Ranks excluding(int... ranks) throws MPIException {
        return new OpenMpiGroup(group.excl(ranks));
    }

    @Override
    public Ranks includingRanges(int[]... ranges) throws MPIException {
        return new OpenMpiGroup(group.rangeIncl(ranges));
    }

    @Override
    public Ranks excludingRanges(int[]... ranges) throws MPIException {
        return new OpenMpiGroup(group.rangeExcl(ranges));
    }

    @Override
    public Ranks union(Ranks other) throws MPIException {
        return new OpenMpiGroup(Group.union(group, of(other)));
    }

    @Override
    public Ranks intersection(Ranks other) throws MPIException {
        return new OpenMpiGroup(Group.intersection(group, of(other)));
    }

    @Override
    public Ranks difference(Ranks other) throws MPIException {
        return new OpenMpiGroup(Group.difference(group, of(other)));
    }

    @Override
    public String compare(Ranks other) throws MPIException {
        return OpenMpiUnderTest.comparison(Group.compare(group, of(other)));
    }

    @Override
    public int[] translate(int[] ranks, Ranks other) throws MPIException {
        return Arrays.stream(Group.translateRanks(group, ranks, of(other)))
                .map(OpenMpiUnderTest::defined)
                .toArray();
    }
}
