package mpi;

import org.sluice.mpi.AgreedSpace;
import org.sluice.mpi.CartesianCommunicator;
import org.sluice.mpi.CartesianCommunicator.Shift;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.MessageSpace;

/** A communicator whose ranks are the places of a grid. */
public final class CartComm extends Intracomm {
    CartComm(CartesianCommunicator communicator) {
        super(communicator);
    }

    @Override
    public CartComm clone() {
        return (CartComm) super.clone();
    }

    @Override
    public CartComm dup() throws MPIException {
        return inheriting(new CartComm((CartesianCommunicator) duplicated()), null);
    }

    @Override
    public CartComm iDup() throws MPIException {
        return duplicating(new CartComm(null));
    }

    @Override
    public CartComm dupWithInfo(Info hints) throws MPIException {
        return inheriting(new CartComm((CartesianCommunicator) duplicated()), hints);
    }

    private CartesianCommunicator grid() throws MPIException {
        AgreedSpace space = space();
        return (CartesianCommunicator) space;
    }

    /** MPI_Cart_get and MPI_Cartdim_get. */
    public CartParms getTopo() throws MPIException {
        CartesianCommunicator grid = grid();
        return new CartParms(grid.dims(), grid.periodic(), grid.coordinates());
    }

    /** MPI_Cart_rank. */
    public int getRank(int[] coords) throws MPIException {
        try {
            return grid().rankOf(coords);
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    /** MPI_Cart_coords. */
    public int[] getCoords(int rank) throws MPIException {
        try {
            return grid().coordinates(rank);
        } catch (IllegalArgumentException e) {
            throw failed(new MPIException(MPI.ERR_RANK, e.getMessage(), e));
        }
    }

    /** MPI_Cart_shift. */
    public ShiftParms shift(int direction, int disp) throws MPIException {
        try {
            Shift shift = grid().shift(direction, disp);
            return new ShiftParms(orNobody(shift.source()), orNobody(shift.destination()));
        } catch (IllegalArgumentException e) {
            throw failed(new MPIException(MPI.ERR_DIMS, e.getMessage(), e));
        }
    }

    private static int orNobody(int rank) {
        return rank == MessageSpace.PROC_NULL ? MPI.PROC_NULL : rank;
    }

    /** MPI_Cart_sub. */
    public CartComm sub(boolean[] remainDims) throws MPIException {
        try {
            return inheriting(new CartComm(grid().sub(remainDims)), null);
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    /** MPI_Cart_map: {@link MPI#UNDEFINED} for a rank that would have no place. All ranks call it. */
    public int map(int[] dims, boolean[] periods) throws MPIException {
        try {
            Communicator all = grid();
            int rank = all.cartesianRank(dims, periods);
            return rank == org.sluice.mpi.Group.NO_RANK ? MPI.UNDEFINED : rank;
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    /** MPI_Dims_create: fills those that are 0. */
    public static void createDims(int nodes, int[] dims) throws MPIException {
        MPI.check();
        try {
            int[] chosen = CartesianCommunicator.balancedDims(nodes, dims);
            System.arraycopy(chosen, 0, dims, 0, dims.length);
        } catch (IllegalArgumentException e) {
            throw new MPIException(MPI.ERR_DIMS, e.getMessage(), e);
        }
    }
}
