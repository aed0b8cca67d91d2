package mpi;

import org.sluice.mpi.Intercommunicator;

/** Two groups of ranks: {@code Rank} and {@code Size} are those of the own one, messages go to the other. */
public class Intercomm extends Comm {
    Intercomm(Intercommunicator communicator) {
        super(communicator, communicator.remoteGroup(), communicator.group());
    }

    private Intercommunicator communicator() {
        return (Intercommunicator) space();
    }

    public int Remote_size() throws MPIException {
        return Remote_group().Size();
    }

    public Group Remote_group() throws MPIException {
        space();
        return group;
    }

    /** @param high whether this group's ranks come after the other's */
    public Intracomm Merge(boolean high) throws MPIException {
        Intercommunicator known = communicator();
        return new Intracomm(Intracomm.made(() -> known.merge(high)));
    }

    /** The same groups, with a message space of their own. All ranks of both call it. */
    @Override
    public Object clone() throws MPIException {
        Intercommunicator known = communicator();
        return new Intercomm(Intracomm.made(known::duplicate));
    }
}
