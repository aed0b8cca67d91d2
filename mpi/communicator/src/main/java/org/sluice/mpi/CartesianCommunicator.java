package org.sluice.mpi;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.algorithm.Neighbours;

/**
 * A communicator whose ranks are the places of a grid (MPI 4.1, section 8.5). The last coordinate counts fastest: in a
 * grid of 2 by 3, rank 4 is at (1, 1). A grid of no dimensions has one place.
 *
 * <p>A rank's neighbours are, for each dimension, the one in the negative direction and then the one in the positive
 * direction; PROC_NULL at an edge that isn't periodic.
 */
public final class CartesianCommunicator extends TopologyCommunicator {
    private final Grid grid;
    private final Neighbours neighbours;

    private CartesianCommunicator(Layer layer, Spaces spaces, int[] members, int number, String name, Grid grid) {
        super(layer, spaces, members, number, name);
        this.grid = grid;
        this.neighbours = Neighbours.ofGrid(rank(), grid.neighbours(rank()));
    }

    static CartesianCommunicator make(Communicator parent, Grid grid, boolean reorder) {
        int[] order = order(parent, grid, reorder);
        return make(parent, Arrays.copyOf(order, grid.size()), ".cartesian", grid);
    }

    /** As {@link Communicator#cartesianRank}. */
    static int map(Communicator parent, Grid grid) {
        int[] order = order(parent, grid, true);
        for (int place = 0; place < grid.size(); place++) {
            if (order[place] == parent.rank()) {
                return place;
            }
        }
        return Group.NO_RANK;
    }

    /** Ranks of the parent as they are in the grid, and then those that it leaves out. */
    private static int[] order(Communicator parent, Grid grid, boolean reorder) {
        if (grid.size() > parent.size()) {
            throw new IllegalArgumentException("a grid of " + Arrays.toString(grid.dims()) + " has " + grid.size()
                    + " places, and " + parent + " has fewer ranks");
        }
        parent.checkAlike(
                31L * Arrays.hashCode(grid.dims()) + 2L * Arrays.hashCode(grid.periodic()) + (reorder ? 1 : 0),
                "grids");
        return reorder ? byPlace(parent) : IntStream.range(0, parent.size()).toArray();
    }

    /** @param chosen ranks of the parent */
    private static CartesianCommunicator make(Communicator parent, int[] chosen, String suffix, Grid grid) {
        int[] members = Arrays.stream(chosen).map(parent::inDevice).toArray();
        return parent.make(
                members,
                number -> new CartesianCommunicator(
                        parent.layer, parent.spaces, members, number, parent.name() + suffix, grid));
    }

    /** Ranks of one node and of one JVM beside each other, else as they are. */
    private static int[] byPlace(Communicator parent) {
        int[] own = {Tiers.lowest(parent, false), Tiers.lowest(parent, true)};
        int[] all = new int[own.length * parent.size()];
        parent.exchangeAll(own, all);
        return IntStream.range(0, parent.size())
                .mapToLong(i -> ((long) all[2 * i] * parent.size() + all[2 * i + 1]) * parent.size() + i)
                .sorted()
                .mapToInt(place -> (int) (place % parent.size()))
                .toArray();
    }

    @Override
    Communicator sameAs(int number, String name) {
        return new CartesianCommunicator(layer, spaces, members(), number, name, grid);
    }

    @Override
    public CartesianCommunicator duplicate() {
        return (CartesianCommunicator) super.duplicate();
    }

    @Override
    Neighbours neighbours() {
        return neighbours;
    }

    /**
     * Sizes of dimensions that are as near to each other as the number of nodes allows (MPI_Dims_create).
     *
     * @param nodes the product of all sizes
     * @param dims the size of each dimension, or 0 where it is chosen; stays as it was
     * @return sizes, of which no chosen one is larger than the one before
     */
    public static int[] balancedDims(int nodes, int... dims) {
        return BalancedDims.of(nodes, dims);
    }

    /** The size of each dimension. */
    public int[] dims() {
        return grid.dims();
    }

    /** Whether each dimension is periodic. */
    public boolean[] periodic() {
        return grid.periodic();
    }

    /** Of this rank. */
    public int[] coordinates() {
        return grid.coordinates(rank());
    }

    public int[] coordinates(int rank) {
        return grid.coordinates(rank);
    }

    /** @param coordinates one for each dimension: in a periodic one any, else 0 up to its size */
    public int rankOf(int... coordinates) {
        return grid.rankOf(coordinates);
    }

    /**
     * Whom to exchange with to move all that ranks have along a dimension.
     *
     * @param displacement places, negative for the other direction
     */
    public Shift shift(int dimension, int displacement) {
        return new Shift(
                grid.neighbour(rank(), dimension, -(long) displacement),
                grid.neighbour(rank(), dimension, displacement));
    }

    /**
     * What a shift has each rank do: it receives from one rank and sends to the other, either of which may be
     * PROC_NULL.
     */
    public record Shift(int source, int destination) {}

    /**
     * The grid that a part of the dimensions makes, of those ranks that have all other coordinates in common with this
     * one. All ranks call it, with the same {@code keep}.
     *
     * @param keep whether each dimension stays
     */
    public CartesianCommunicator sub(boolean... keep) {
        Grid kept = grid.sub(keep);
        int[] chosen = grid.ranksOfSub(keep, rank());
        checkAlike(Arrays.hashCode(keep), "dimensions to keep");
        return make(this, chosen, ".sub", kept);
    }
}
