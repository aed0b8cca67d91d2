package mpi;

import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Reduction;

/**
 * A communicator of one group: what all its ranks call together, in the same order. Buffers are as in {@link Comm}; of
 * calls with a root those of the result are looked at there alone. A contribution and its result may be in one array:
 * what lies where it goes stays there.
 *
 * <p><i>Thread</i>: one after the other. <i>Fails</i>: {@link MPIException}; ranks that make different calls are told.
 */
public class Intracomm extends Comm {
    Intracomm(String missing) {
        super(missing);
    }

    Intracomm(Communicator communicator) {
        super(communicator, communicator.group(), null);
    }

    /** Of a group that this rank isn't in. */
    Intracomm(org.sluice.mpi.Group members) {
        super(members);
    }

    final Communicator communicator() {
        return (Communicator) space();
    }

    private int ranks() {
        return group.mpjdevGroup.size;
    }

    private int rank() {
        return group.mpjdevGroup.rank;
    }

    /** What may fail for other reasons than its arguments. */
    @FunctionalInterface
    interface Making<T> {
        T make();
    }

    static <T> T made(Making<T> making) {
        try {
            return making.make();
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    // --- communicators -----------------------------------------------------------------------------------------------

    /** As {@link Comm#Compare}. */
    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        return Comm.Compare(comm1, comm2);
    }

    /**
     * That of the ranks that give this colour, ordered by key. All ranks call it.
     *
     * @param color 0 or more, or {@code MPI.UNDEFINED} for none
     * @return null for a rank that gives none
     */
    public Intracomm Split(int color, int key) throws MPIException {
        Communicator known = communicator();
        if (color < MPI.UNDEFINED) {
            throw new MPIException("colour " + color + ": 0 or more, or MPI.UNDEFINED");
        }
        Communicator part = made(() -> known.split(color, key));
        return part == null ? null : new Intracomm(part);
    }

    /** The same ranks, with a message space of their own. All ranks call it. */
    @Override
    public Object clone() throws MPIException {
        Communicator known = communicator();
        return new Intracomm(made(known::duplicate));
    }

    /**
     * That of a group, called by its ranks; others may call it, too.
     *
     * @return for a rank that isn't in the group one whose {@code Rank()} is {@code MPI.UNDEFINED}, as in MPJ Express
     */
    public Intracomm Create(Group group) throws MPIException {
        Communicator known = communicator();
        if (group == null) {
            throw new MPIException("the group is null");
        }
        org.sluice.mpi.Group members = group.members();
        return group.Rank() == MPI.UNDEFINED
                ? new Intracomm(members)
                : new Intracomm(made(() -> known.createGroup(members, 0)));
    }

    /**
     * One whose ranks are the places of a grid. Ranks stay in their order, as in MPJ Express. All ranks call it.
     *
     * @return null for the last ranks, if the grid has fewer places
     */
    public Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        Communicator known = communicator();
        org.sluice.mpi.CartesianCommunicator grid = made(() -> known.createCartesian(dims, periods, false));
        return grid == null ? null : new Cartcomm(grid);
    }

    /**
     * One whose ranks are the nodes of a graph. Ranks stay in their order. All ranks call it.
     *
     * @return null for the last ranks, if the graph has fewer nodes
     */
    public Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
        Communicator known = communicator();
        org.sluice.mpi.GraphCommunicator graph = made(() -> known.createGraph(index, edges));
        return graph == null ? null : new Graphcomm(graph);
    }

    // --- from and to a root ------------------------------------------------------------------------------------------

    public void Barrier() throws MPIException {
        Communicator known = communicator();
        try {
            known.barrier();
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** The root's items for all. */
    public void Bcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        Communicator known = communicator();
        try {
            if (Datatype.checked(type).isObject()) {
                ObjectCollectives.broadcast(known, buf, offset, count, type, root);
            } else {
                known.broadcast(type.part(buf, offset, count), root);
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    private static boolean areObjects(Datatype sendtype, Datatype recvtype) {
        boolean isOfObjects = Datatype.checked(sendtype).isObject();
        if (isOfObjects != Datatype.checked(recvtype).isObject()) {
            throw new MPIException(
                    "one side gives " + sendtype + " and the other " + recvtype + ": both or neither are" + " objects");
        }
        return isOfObjects;
    }

    private static long end(int offset, long count, Datatype type) {
        return offset + count * type.extent;
    }

    /** @param recvcount items of each rank */
    public void Gather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (areObjects(sendtype, recvtype)) {
                Object[] values = sendtype.pick(sendbuf, sendoffset, sendcount);
                ObjectCollectives.gather(known, values, recvbuf, recvoffset, recvcount, recvtype, root);
            } else if (rank() != root) {
                known.gather(sendtype.part(sendbuf, sendoffset, sendcount), null, root);
            } else {
                long all = (long) recvcount * ranks();
                Object into = recvtype.part(recvbuf, recvoffset, all);
                long own = end(recvoffset, (long) rank() * recvcount, recvtype);
                long end = end(recvoffset, all, recvtype);
                known.gather(
                        Sides.contribution(
                                sendtype, sendbuf, sendoffset, sendcount, recvtype, recvbuf, own, recvoffset, end),
                        into,
                        root);
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** @param displs where each rank's items begin, in extents of the type, from the offset on */
    public void Gatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (areObjects(sendtype, recvtype)) {
                Object[] values = sendtype.pick(sendbuf, sendoffset, sendcount);
                ObjectCollectives.gather(known, values, recvbuf, recvoffset, recvcount, displs, recvtype, root);
            } else if (rank() != root) {
                known.gatherBlocks(sendtype.part(sendbuf, sendoffset, sendcount), null, root);
            } else {
                Object into = recvtype.blocks(recvbuf, recvoffset, recvcount, displs, ranks());
                long own = end(recvoffset, displs[rank()], recvtype);
                known.gatherBlocks(
                        Sides.contribution(
                                sendtype, sendbuf, sendoffset, sendcount, recvtype, recvbuf, own, 0, Long.MAX_VALUE),
                        into,
                        root);
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** @param sendcount items for each rank */
    public void Scatter(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (areObjects(sendtype, recvtype)) {
                Object[][] blocks = rank() != root
                        ? null
                        : ObjectCollectives.blocks(sendbuf, sendoffset, sendcount, sendtype, ranks());
                ObjectCollectives.scatter(known, blocks, recvbuf, recvoffset, recvcount, recvtype, root);
            } else if (rank() != root) {
                known.scatter(null, recvtype.part(recvbuf, recvoffset, recvcount), root);
            } else if (sendbuf != recvbuf) {
                Object all = sendtype.part(sendbuf, sendoffset, (long) sendcount * ranks());
                known.scatter(all, recvtype.part(recvbuf, recvoffset, recvcount), root);
            } else {
                long count = (long) sendcount * ranks();
                boolean isThere = Sides.areAlike(sendtype, recvtype)
                        && recvoffset == end(sendoffset, (long) rank() * sendcount, sendtype);
                Object all = isThere
                        ? sendtype.part(sendbuf, sendoffset, count)
                        : Sides.apart(
                                sendtype, sendbuf, sendoffset, count, recvoffset, end(recvoffset, recvcount, recvtype));
                known.scatter(all, isThere ? Data.IN_PLACE : recvtype.part(recvbuf, recvoffset, recvcount), root);
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** @param displs where each rank's items begin, in extents of the type, from the offset on */
    public void Scatterv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (areObjects(sendtype, recvtype)) {
                Object[][] blocks = rank() != root
                        ? null
                        : ObjectCollectives.blocks(sendbuf, sendoffset, sendcount, displs, sendtype, ranks());
                ObjectCollectives.scatter(known, blocks, recvbuf, recvoffset, recvcount, recvtype, root);
            } else if (rank() != root) {
                known.scatterBlocks(null, recvtype.part(recvbuf, recvoffset, recvcount), root);
            } else {
                sendtype.check(sendbuf, 0);
                int[] places = Buffers.ofRanks(displs, ranks());
                boolean isThere = sendbuf == recvbuf
                        && Sides.areAlike(sendtype, recvtype)
                        && recvoffset == end(sendoffset, places[rank()], sendtype);
                Object from = sendbuf != recvbuf || isThere ? sendbuf : Buffers.copy(sendbuf);
                known.scatterBlocks(
                        sendtype.blocks(from, sendoffset, sendcount, displs, ranks()),
                        isThere ? Data.IN_PLACE : recvtype.part(recvbuf, recvoffset, recvcount),
                        root);
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    // --- from and to all ---------------------------------------------------------------------------------------------

    /** As {@link #Gather}, with the result at all ranks. */
    public void Allgather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (areObjects(sendtype, recvtype)) {
                Object[] values = sendtype.pick(sendbuf, sendoffset, sendcount);
                ObjectCollectives.allGather(known, values, recvbuf, recvoffset, recvcount, recvtype);
                return;
            }
            long all = (long) recvcount * ranks();
            Object into = recvtype.part(recvbuf, recvoffset, all);
            long own = end(recvoffset, (long) rank() * recvcount, recvtype);
            long end = end(recvoffset, all, recvtype);
            known.allGather(
                    Sides.contribution(
                            sendtype, sendbuf, sendoffset, sendcount, recvtype, recvbuf, own, recvoffset, end),
                    into);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** As {@link #Gatherv}, with the result at all ranks. */
    public void Allgatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (areObjects(sendtype, recvtype)) {
                Object[] values = sendtype.pick(sendbuf, sendoffset, sendcount);
                ObjectCollectives.allGather(known, values, recvbuf, recvoffset, recvcount, displs, recvtype);
                return;
            }
            Object into = recvtype.blocks(recvbuf, recvoffset, recvcount, displs, ranks());
            long own = end(recvoffset, displs[rank()], recvtype);
            known.allGatherBlocks(
                    Sides.contribution(
                            sendtype, sendbuf, sendoffset, sendcount, recvtype, recvbuf, own, 0, Long.MAX_VALUE),
                    into);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** A block from each rank for each. */
    public void Alltoall(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (areObjects(sendtype, recvtype)) {
                Object[][] blocks = ObjectCollectives.blocks(sendbuf, sendoffset, sendcount, sendtype, ranks());
                ObjectCollectives.allToAll(known, blocks, recvbuf, recvoffset, recvcount, recvtype);
                return;
            }
            long received = (long) recvcount * ranks();
            Object into = recvtype.part(recvbuf, recvoffset, received);
            long count = (long) sendcount * ranks();
            Object from = sendbuf != recvbuf
                    ? sendtype.part(sendbuf, sendoffset, count)
                    : Sides.apart(
                            sendtype, sendbuf, sendoffset, count, recvoffset, end(recvoffset, received, recvtype));
            known.allToAll(from, into);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** As {@link #Alltoall}, with blocks of any length. */
    public void Alltoallv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (areObjects(sendtype, recvtype)) {
                Object[][] blocks =
                        ObjectCollectives.blocks(sendbuf, sendoffset, sendcount, sdispls, sendtype, ranks());
                ObjectCollectives.allToAll(known, blocks, recvbuf, recvoffset, recvcount, rdispls, recvtype);
                return;
            }
            sendtype.check(sendbuf, 0);
            Object from = sendbuf == recvbuf ? Buffers.copy(sendbuf) : sendbuf;
            known.allToAllBlocks(
                    sendtype.blocks(from, sendoffset, sendcount, sdispls, ranks()),
                    recvtype.blocks(recvbuf, recvoffset, recvcount, rdispls, ranks()));
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    // --- reductions --------------------------------------------------------------------------------------------------

    private static Object operand(Datatype type, Op op, Object buf, int offset, long count) {
        return op.isOfProgram() && type.size != 1
                ? type.itemsOfLayout(buf, offset, count)
                : type.part(buf, offset, count);
    }

    private static Object operand(
            Datatype type, Op op, Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, long count) {
        if (sendbuf != recvbuf) {
            return operand(type, op, sendbuf, sendoffset, count);
        }
        if (sendoffset == recvoffset) {
            return Data.IN_PLACE;
        }
        type.check(sendbuf, count);
        return operand(type, op, Buffers.copy(sendbuf), sendoffset, count);
    }

    /** Item by item of all ranks, at the root. */
    public void Reduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op,
            int root)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (Datatype.checked(datatype).isObject()) {
                Object[] values = datatype.pick(sendbuf, sendoffset, count);
                ObjectCollectives.reduce(known, values, recvbuf, recvoffset, count, datatype, Op.checked(op), root);
                return;
            }
            Reduction reduction = Op.checked(op).of(datatype);
            if (rank() != root) {
                known.reduce(operand(datatype, op, sendbuf, sendoffset, count), null, reduction, root);
            } else {
                Object into = operand(datatype, op, recvbuf, recvoffset, count);
                known.reduce(
                        operand(datatype, op, sendbuf, sendoffset, recvbuf, recvoffset, count), into, reduction, root);
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** As {@link #Reduce}, with the result at all ranks. */
    public void Allreduce(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (Datatype.checked(datatype).isObject()) {
                Object[] values = datatype.pick(sendbuf, sendoffset, count);
                ObjectCollectives.allReduce(known, values, recvbuf, recvoffset, count, datatype, Op.checked(op));
                return;
            }
            Reduction reduction = Op.checked(op).of(datatype);
            Object into = operand(datatype, op, recvbuf, recvoffset, count);
            known.allReduce(operand(datatype, op, sendbuf, sendoffset, recvbuf, recvoffset, count), into, reduction);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** As {@link #Reduce}, of which each rank gets as many items as its count says. */
    public void Reduce_scatter(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int[] recvcounts, Datatype datatype, Op op)
            throws MPIException {
        Communicator known = communicator();
        try {
            int[] counts = Buffers.ofRanks(recvcounts, ranks());
            long all = 0;
            for (int each : counts) {
                all += each;
            }
            if (Datatype.checked(datatype).isObject()) {
                Object[] values = datatype.pick(sendbuf, sendoffset, Math.toIntExact(all));
                ObjectCollectives.reduceScatter(known, values, recvbuf, recvoffset, counts, datatype, Op.checked(op));
                return;
            }
            Reduction reduction = Op.checked(op).of(datatype);
            Object into = operand(datatype, op, recvbuf, recvoffset, counts[rank()]);
            datatype.check(sendbuf, all);
            Object from = sendbuf == recvbuf ? Buffers.copy(sendbuf) : sendbuf;
            known.reduceScatter(operand(datatype, op, from, sendoffset, all), into, counts, reduction);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** Of the ranks up to this one. */
    public void Scan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op)
            throws MPIException {
        Communicator known = communicator();
        try {
            if (Datatype.checked(datatype).isObject()) {
                Object[] values = datatype.pick(sendbuf, sendoffset, count);
                ObjectCollectives.scan(known, values, recvbuf, recvoffset, count, datatype, Op.checked(op));
                return;
            }
            Reduction reduction = Op.checked(op).of(datatype);
            Object into = operand(datatype, op, recvbuf, recvoffset, count);
            known.scan(operand(datatype, op, sendbuf, sendoffset, recvbuf, recvoffset, count), into, reduction);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }
}
