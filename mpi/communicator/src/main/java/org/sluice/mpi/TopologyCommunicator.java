package org.sluice.mpi;

import org.sluice.device.Request;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.algorithm.Neighbours;

/**
 * A communicator whose ranks have neighbours, and what each exchanges with those alone (MPI 4.1, chapter 8).
 *
 * <p><b>Neighbourhood collectives.</b> All ranks make the same calls in the same order, as with any collective; ranks
 * without neighbours, too. Blocks are in the order of {@link #sources} and {@link #destinations}. A block for a
 * neighbour that is PROC_NULL isn't sent, and one from it is left as it was. Without a neighbour on one side, the
 * buffer of that side isn't looked at. {@link Data#IN_PLACE} has no place here, and the buffers have no byte in common.
 *
 * <p>What goes along several edges between the same two ranks is paired in the order of the sender's destinations and
 * of the receiver's sources. In a grid, what goes in one direction of a dimension always comes from the other.
 *
 * <p><i>Fails</i>: a block that is not as long as what comes from the neighbour is a {@link MismatchedCallException}.
 */
public abstract class TopologyCommunicator extends Communicator {
    TopologyCommunicator(Layer layer, Spaces spaces, int[] members, int number, String name) {
        super(layer, spaces, members, number, name);
    }

    /** For collectives; throws where the topology has none. */
    abstract Neighbours neighbours();

    /** Ranks that this one receives from, in the order of their blocks; PROC_NULL for nobody. The caller's own copy. */
    public int[] sources() {
        return neighbours().sources();
    }

    /** Ranks that this one sends to, in the order of their blocks; PROC_NULL for nobody. The caller's own copy. */
    public int[] destinations() {
        return neighbours().destinations();
    }

    /** The same ranks and the same topology, with a message space of their own. All ranks call it. */
    @Override
    public TopologyCommunicator duplicate() {
        return (TopologyCommunicator) super.duplicate();
    }

    /**
     * This rank's items to each destination, and a block from each source.
     *
     * @param result as large as the contributions of all sources, which have the same size
     */
    public final void neighbourAllGather(Object contribution, Object result) {
        gather(contribution, result, false);
    }

    /** As {@link #neighbourAllGather}, with blocks of any size in the result, a {@link Data#blocks} by source. */
    public final void neighbourAllGatherBlocks(Object contribution, Object result) {
        gather(contribution, result, true);
    }

    /**
     * A block of its own to each destination, and a block from each source.
     *
     * @param contribution as many blocks of one size as there are destinations
     * @param result as many blocks of one size as there are sources
     */
    public final void neighbourAllToAll(Object contribution, Object result) {
        exchange(contribution, result, false);
    }

    /**
     * As {@link #neighbourAllToAll}, with blocks of any size, perhaps each of its own layout: both are
     * {@link Data#blocks}, by destination and by source.
     */
    public final void neighbourAllToAllBlocks(Object contribution, Object result) {
        exchange(contribution, result, true);
    }

    /** As {@link #neighbourAllGather}; the request completes when this rank has done its part. */
    public final Request ineighbourAllGather(Object contribution, Object result) {
        Neighbours neighbours = neighbours();
        return start(call -> NeighbourCall.allGather(call, neighbours, contribution, result, false));
    }

    /** As {@link #neighbourAllGatherBlocks}. */
    public final Request ineighbourAllGatherBlocks(Object contribution, Object result) {
        Neighbours neighbours = neighbours();
        return start(call -> NeighbourCall.allGather(call, neighbours, contribution, result, true));
    }

    /** As {@link #neighbourAllToAll}. */
    public final Request ineighbourAllToAll(Object contribution, Object result) {
        Neighbours neighbours = neighbours();
        return start(call -> NeighbourCall.allToAll(call, neighbours, contribution, result, false));
    }

    /** As {@link #neighbourAllToAllBlocks}. */
    public final Request ineighbourAllToAllBlocks(Object contribution, Object result) {
        Neighbours neighbours = neighbours();
        return start(call -> NeighbourCall.allToAll(call, neighbours, contribution, result, true));
    }

    /** As {@link #neighbourAllGather}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest neighbourAllGatherInit(Object contribution, Object result) {
        Neighbours neighbours = neighbours();
        return persistent(call -> NeighbourCall.allGather(call, neighbours, contribution, result, false));
    }

    /** As {@link #neighbourAllGatherBlocks}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest neighbourAllGatherBlocksInit(Object contribution, Object result) {
        Neighbours neighbours = neighbours();
        return persistent(call -> NeighbourCall.allGather(call, neighbours, contribution, result, true));
    }

    /** As {@link #neighbourAllToAll}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest neighbourAllToAllInit(Object contribution, Object result) {
        Neighbours neighbours = neighbours();
        return persistent(call -> NeighbourCall.allToAll(call, neighbours, contribution, result, false));
    }

    /** As {@link #neighbourAllToAllBlocks}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest neighbourAllToAllBlocksInit(Object contribution, Object result) {
        Neighbours neighbours = neighbours();
        return persistent(call -> NeighbourCall.allToAll(call, neighbours, contribution, result, true));
    }

    private void gather(Object contribution, Object result, boolean hasBlocks) {
        Neighbours neighbours = neighbours();
        Call call = take();
        NeighbourCall.allGather(call, neighbours, contribution, result, hasBlocks);
        run(call);
    }

    private void exchange(Object contribution, Object result, boolean hasBlocks) {
        Neighbours neighbours = neighbours();
        Call call = take();
        NeighbourCall.allToAll(call, neighbours, contribution, result, hasBlocks);
        run(call);
    }
}
