package mpi;

import org.sluice.mpi.Intercommunicator;

/** A communicator of two groups: messages go to the other one. */
public final class Intercomm extends Comm {
    Intercomm(Intercommunicator communicator) {
        super(communicator);
    }

    @Override
    public Intercomm clone() {
        return (Intercomm) super.clone();
    }

    @Override
    public Intercomm dup() throws MPIException {
        return inheriting(new Intercomm((Intercommunicator) duplicated()), null);
    }

    @Override
    public Intercomm iDup() throws MPIException {
        return duplicating(new Intercomm(null));
    }

    @Override
    public Intercomm dupWithInfo(Info hints) throws MPIException {
        return inheriting(new Intercomm((Intercommunicator) duplicated()), hints);
    }

    private Intercommunicator inter() throws MPIException {
        return (Intercommunicator) space();
    }

    /** MPI_Comm_remote_size. */
    public int getRemoteSize() throws MPIException {
        return inter().remoteSize();
    }

    /** MPI_Comm_remote_group. */
    public Group getRemoteGroup() throws MPIException {
        return new Group(inter().remoteGroup());
    }

    /** MPI_Intercomm_merge. */
    public Intracomm merge(boolean high) throws MPIException {
        try {
            return inheriting(new Intracomm(inter().merge(high)), null);
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    /** MPI_Comm_get_parent: one that is null, as nobody has spawned this rank. */
    public static Intercomm getParent() throws MPIException {
        MPI.check();
        return new Intercomm(null);
    }
}
