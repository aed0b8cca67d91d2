package mpi;

import org.sluice.mpi.CartesianCommunicator;
import org.sluice.mpi.MessageSpace;

/** A communicator whose ranks are the places of a grid; the last coordinate counts fastest. */
public class Cartcomm extends Intracomm {
    Cartcomm(CartesianCommunicator grid) {
        super(grid);
    }

    private CartesianCommunicator grid() {
        return (CartesianCommunicator) space();
    }

    @Override
    boolean hasEdges() {
        return true;
    }

    /** The same ranks and grid, with a message space of their own. All ranks call it. */
    @Override
    public Object clone() throws MPIException {
        CartesianCommunicator known = grid();
        return new Cartcomm(made(known::duplicate));
    }

    /** The rank at these coordinates: in a periodic dimension any, else 0 up to its size. */
    public int Rank(int[] coords) throws MPIException {
        CartesianCommunicator known = grid();
        if (coords == null) {
            throw new MPIException("the coordinates are null");
        }
        return made(() -> known.rankOf(coords));
    }

    public int[] Coords(int rank) throws MPIException {
        CartesianCommunicator known = grid();
        return made(() -> known.coordinates(rank));
    }

    /**
     * Whom this rank receives from and sends to if all move so many places along a dimension. Beyond an edge that is
     * -1, as in MPJ Express: calls of a Cartcomm take that as {@code MPI.PROC_NULL}.
     */
    public ShiftParms Shift(int direction, int disp) throws MPIException {
        CartesianCommunicator known = grid();
        CartesianCommunicator.Shift shift = made(() -> known.shift(direction, disp));
        ShiftParms parms = new ShiftParms();
        parms.rank_source = orEdge(shift.source());
        parms.rank_dest = orEdge(shift.destination());
        return parms;
    }

    private static int orEdge(int rank) {
        return rank == MessageSpace.PROC_NULL ? BEYOND_EDGE : rank;
    }

    /** The grid of those dimensions that remain, of the ranks that have this one's coordinates in the others. */
    public Cartcomm Sub(boolean[] remain_dims) throws MPIException {
        CartesianCommunicator known = grid();
        if (remain_dims == null) {
            throw new MPIException("the dimensions that remain are null: give a boolean for each");
        }
        return new Cartcomm(made(() -> known.sub(remain_dims)));
    }

    /** The rank that this one would have in such a grid, its own; {@code MPI.UNDEFINED} if that has fewer places. */
    public int Map(int[] dims, boolean[] periods) throws MPIException {
        if (dims == null) {
            throw new MPIException("the dimensions are null: give the places of each");
        }
        long places = 1;
        for (int dim : dims) {
            if (dim < 0) {
                throw new MPIException("a dimension of " + dim + " places: 1 or more");
            }
            places *= dim;
        }
        if (places > Size()) {
            throw new MPIException("a grid of " + places + " places, and there are " + Size() + " ranks");
        }
        return Rank() < places ? Rank() : MPI.UNDEFINED;
    }

    public CartParms Get() throws MPIException {
        CartesianCommunicator known = grid();
        CartParms parms = new CartParms();
        parms.dims = known.dims();
        parms.periods = known.periodic();
        parms.coords = known.coordinates();
        return parms;
    }

    /** {@code MPI.CART}. */
    @Override
    public int Topo_test() throws MPIException {
        return MPI.CART;
    }

    /**
     * Chooses the sizes of those dimensions that are 0, as near to each other as the number of nodes allows.
     *
     * @param dims is changed
     */
    public static void Dims_create(int nnodes, int[] dims) throws MPIException {
        if (dims == null) {
            throw new MPIException("the dimensions are null: give an array of as many zeros");
        }
        int[] chosen = made(() -> CartesianCommunicator.balancedDims(nnodes, dims));
        System.arraycopy(chosen, 0, dims, 0, dims.length);
    }
}
