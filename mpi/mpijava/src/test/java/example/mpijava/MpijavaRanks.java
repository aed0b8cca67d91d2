package example.mpijava;

import mpi.CartParms;
import mpi.Cartcomm;
import mpi.GraphParms;
import mpi.Graphcomm;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ShiftParms;
import org.sluice.mpi.cases.MpiUnderTest.Comm;
import org.sluice.mpi.cases.MpiUnderTest.Got;
import org.sluice.mpi.cases.MpiUnderTest.Mode;
import org.sluice.mpi.cases.MpiUnderTest.Operation;
import org.sluice.mpi.cases.MpiUnderTest.Part;
import org.sluice.mpi.cases.MpiUnderTest.Pending;
import org.sluice.mpi.cases.MpiUnderTest.Ranks;
import org.sluice.mpi.cases.MpiUnderTest.Type;

/** A communicator of MPJ Express's dialect. */
final class MpijavaRanks implements Comm {
    private final mpi.Comm comm;

    MpijavaRanks(mpi.Comm comm) {
        this.comm = comm;
    }

    private Intracomm intra() {
        return (Intracomm) comm;
    }

    private static mpi.Op of(Operation op) {
        return ((MpijavaUnderTest.Reducing) op).op;
    }

    private static mpi.Datatype of(Type type) {
        return MpijavaUnderTest.of(type);
    }

    private static Comm made(mpi.Comm comm) {
        return comm == null ? null : new MpijavaRanks(comm);
    }

    @Override
    public int rank() {
        return comm.Rank();
    }

    @Override
    public int size() {
        return comm.Size();
    }

    @Override
    public void send(Mode mode, Part p, int to, int tag) {
        switch (mode) {
            case SYNCHRONOUS:
                comm.Ssend(p.array, p.offset, p.count, of(p.type), to(to), MpijavaUnderTest.tag(tag));
                break;
            case READY:
                comm.Rsend(p.array, p.offset, p.count, of(p.type), to(to), MpijavaUnderTest.tag(tag));
                break;
            case BUFFERED:
                comm.Bsend(p.array, p.offset, p.count, of(p.type), to(to), MpijavaUnderTest.tag(tag));
                break;
            default:
                comm.Send(p.array, p.offset, p.count, of(p.type), to(to), MpijavaUnderTest.tag(tag));
                break;
        }
    }

    @Override
    public Pending start(Mode mode, Part p, int to, int tag) {
        switch (mode) {
            case SYNCHRONOUS:
                return begun(comm.Issend(p.array, p.offset, p.count, of(p.type), to(to), tag));
            case READY:
                return begun(comm.Irsend(p.array, p.offset, p.count, of(p.type), to(to), tag));
            case BUFFERED:
                return begun(comm.Ibsend(p.array, p.offset, p.count, of(p.type), to(to), tag));
            default:
                return begun(comm.Isend(p.array, p.offset, p.count, of(p.type), to(to), tag));
        }
    }

    @Override
    public Pending persistent(Mode mode, Part p, int to, int tag) {
        switch (mode) {
            case SYNCHRONOUS:
                return begun(comm.Ssend_init(p.array, p.offset, p.count, of(p.type), to(to), tag));
            case READY:
                return begun(comm.Rsend_init(p.array, p.offset, p.count, of(p.type), to(to), tag));
            case BUFFERED:
                return begun(comm.Bsend_init(p.array, p.offset, p.count, of(p.type), to(to), tag));
            default:
                return begun(comm.Send_init(p.array, p.offset, p.count, of(p.type), to(to), tag));
        }
    }

    private static int to(int rank) {
        return MpijavaUnderTest.rank(rank);
    }

    private static Pending begun(mpi.Request request) {
        return new MpijavaUnderTest.Begun(request);
    }

    private static Got found(mpi.Status status) {
        return MpijavaUnderTest.Found.of(status);
    }

    @Override
    public Got receive(Part p, int from, int tag) {
        return found(comm.Recv(p.array, p.offset, p.count, of(p.type), to(from), MpijavaUnderTest.tag(tag)));
    }

    @Override
    public Pending startReceive(Part p, int from, int tag) {
        return begun(comm.Irecv(p.array, p.offset, p.count, of(p.type), to(from), MpijavaUnderTest.tag(tag)));
    }

    @Override
    public Pending persistentReceive(Part p, int from, int tag) {
        return begun(comm.Recv_init(p.array, p.offset, p.count, of(p.type), to(from), MpijavaUnderTest.tag(tag)));
    }

    @Override
    public Got probe(int from, int tag) {
        return found(comm.Probe(to(from), MpijavaUnderTest.tag(tag)));
    }

    @Override
    public Got probeNow(int from, int tag) {
        return found(comm.Iprobe(to(from), MpijavaUnderTest.tag(tag)));
    }

    @Override
    public Got exchange(Part out, int to, int tag, Part in, int from, int inTag) {
        return found(comm.Sendrecv(
                out.array,
                out.offset,
                out.count,
                of(out.type),
                to(to),
                tag,
                in.array,
                in.offset,
                in.count,
                of(in.type),
                to(from),
                MpijavaUnderTest.tag(inTag)));
    }

    @Override
    public Got replace(Part p, int to, int tag, int from, int inTag) {
        return found(comm.Sendrecv_replace(
                p.array, p.offset, p.count, of(p.type), to(to), tag, to(from), MpijavaUnderTest.tag(inTag)));
    }

    @Override
    public int packedSize(int count, Type type) {
        return comm.Pack_size(count, of(type));
    }

    @Override
    public int pack(Part from, Object packed, int position) {
        return comm.Pack(from.array, from.offset, from.count, of(from.type), (mpjbuf.Buffer) packed, position);
    }

    @Override
    public int unpack(Object packed, int position, Part to) {
        return comm.Unpack((mpjbuf.Buffer) packed, position, to.array, to.offset, to.count, of(to.type));
    }

    @Override
    public void barrier() {
        intra().Barrier();
    }

    @Override
    public void broadcast(Part p, int root) {
        intra().Bcast(p.array, p.offset, p.count, of(p.type), root);
    }

    @Override
    public void gather(Part a, Part b, int root) {
        intra().Gather(a.array, a.offset, a.count, of(a.type), b.array, b.offset, b.count, of(b.type), root);
    }

    @Override
    public void gather(Part a, Part b, int[] counts, int[] places, int root) {
        intra().Gatherv(a.array, a.offset, a.count, of(a.type), b.array, b.offset, counts, places, of(b.type), root);
    }

    @Override
    public void scatter(Part a, Part b, int root) {
        intra().Scatter(a.array, a.offset, a.count, of(a.type), b.array, b.offset, b.count, of(b.type), root);
    }

    @Override
    public void scatter(Part a, int[] counts, int[] places, Part b, int root) {
        intra().Scatterv(a.array, a.offset, counts, places, of(a.type), b.array, b.offset, b.count, of(b.type), root);
    }

    @Override
    public void allGather(Part a, Part b) {
        intra().Allgather(a.array, a.offset, a.count, of(a.type), b.array, b.offset, b.count, of(b.type));
    }

    @Override
    public void allGather(Part a, Part b, int[] counts, int[] places) {
        intra().Allgatherv(a.array, a.offset, a.count, of(a.type), b.array, b.offset, counts, places, of(b.type));
    }

    @Override
    public void allToAll(Part a, Part b) {
        intra().Alltoall(a.array, a.offset, a.count, of(a.type), b.array, b.offset, b.count, of(b.type));
    }

    @Override
    public void allToAll(Part a, int[] counts, int[] places, Part b, int[] inCounts, int[] inPlaces) {
        intra().Alltoallv(
                        a.array,
                        a.offset,
                        counts,
                        places,
                        of(a.type),
                        b.array,
                        b.offset,
                        inCounts,
                        inPlaces,
                        of(b.type));
    }

    @Override
    public void reduce(Part a, Part b, Operation op, int root) {
        intra().Reduce(a.array, a.offset, b.array, b.offset, a.count, of(a.type), of(op), root);
    }

    @Override
    public void allReduce(Part a, Part b, Operation op) {
        intra().Allreduce(a.array, a.offset, b.array, b.offset, a.count, of(a.type), of(op));
    }

    @Override
    public void reduceScatter(Part a, Part b, int[] counts, Operation op) {
        intra().Reduce_scatter(a.array, a.offset, b.array, b.offset, counts, of(a.type), of(op));
    }

    @Override
    public void scan(Part a, Part b, Operation op) {
        intra().Scan(a.array, a.offset, b.array, b.offset, a.count, of(a.type), of(op));
    }

    @Override
    public Comm duplicate() {
        return made((mpi.Comm) comm.clone());
    }

    @Override
    public Comm split(int color, int key) {
        return made(intra().Split(color == org.sluice.mpi.cases.MpiUnderTest.UNDEFINED ? MPI.UNDEFINED : color, key));
    }

    @Override
    public Comm create(Ranks ranks) {
        Intracomm made = intra().Create(((MpijavaGroup) ranks).group);
        return made == null || made.Rank() == MPI.UNDEFINED ? null : made(made);
    }

    @Override
    public Ranks group() {
        return new MpijavaGroup(comm.Group());
    }

    @Override
    public String compare(Comm other) {
        mpi.Comm compared = ((MpijavaRanks) other).comm;
        return MpijavaUnderTest.comparison(
                comm instanceof Intracomm ? Intracomm.Compare(comm, compared) : mpi.Comm.Compare(comm, compared));
    }

    @Override
    public void free() {
        comm.Free();
    }

    @Override
    public Object highestTag() {
        return comm.Attr_get(MPI.TAG_UB);
    }

    @Override
    public Comm cartesian(int[] dims, boolean[] periods) {
        return made(intra().Create_cart(dims, periods, false));
    }

    private Cartcomm cart() {
        return (Cartcomm) comm;
    }

    @Override
    public int rankAt(int... coords) {
        return cart().Rank(coords);
    }

    @Override
    public int[] coords(int rank) {
        return cart().Coords(rank);
    }

    /** Beyond an edge MPJ Express has -1, which is no rank of its messages. */
    private static int neighbour(int rank) {
        return rank < 0 ? org.sluice.mpi.cases.MpiUnderTest.NOBODY : rank;
    }

    @Override
    public int[] shift(int dimension, int by) {
        ShiftParms shift = cart().Shift(dimension, by);
        return new int[] {neighbour(shift.rank_source), neighbour(shift.rank_dest)};
    }

    @Override
    public Comm sub(boolean... remaining) {
        return made(cart().Sub(remaining));
    }

    @Override
    public Object[] grid() {
        CartParms all = cart().Get();
        return new Object[] {all.dims, all.periods, all.coords};
    }

    @Override
    public Comm graph(int[] index, int[] edges) {
        return made(intra().Create_graph(index, edges, false));
    }

    @Override
    public int[] neighbours(int rank) {
        return ((Graphcomm) comm).Neighbours(rank);
    }

    @Override
    public int[][] edges() {
        GraphParms all = ((Graphcomm) comm).Get();
        return new int[][] {all.index, all.edges};
    }

    @Override
    public String topology() {
        int kind = comm.Topo_test();
        return kind == MPI.CART ? "CART" : kind == MPI.GRAPH ? "GRAPH" : "none";
    }

    @Override
    public Comm connect(Comm own, int leader, int otherLeader, int tag) {
        return made(comm.Create_intercomm(((MpijavaRanks) own).comm, leader, otherLeader, tag));
    }

    @Override
    public boolean isInter() {
        return comm.Test_inter();
    }

    @Override
    public int remoteSize() {
        return ((Intercomm) comm).Remote_size();
    }

    @Override
    public Ranks remoteGroup() {
        return new MpijavaGroup(((Intercomm) comm).Remote_group());
    }

    @Override
    public Comm merge(boolean high) {
        return made(((Intercomm) comm).Merge(high));
    }
}
