package example.openmpi;

import static example.openmpi.OpenMpiUnderTest.at;

import mpi.CartComm;
import mpi.CartParms;
import mpi.GraphComm;
import mpi.GraphParms;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.ShiftParms;
import org.sluice.mpi.cases.MpiUnderTest;
import org.sluice.mpi.cases.MpiUnderTest.Comm;
import org.sluice.mpi.cases.MpiUnderTest.Got;
import org.sluice.mpi.cases.MpiUnderTest.Mode;
import org.sluice.mpi.cases.MpiUnderTest.Operation;
import org.sluice.mpi.cases.MpiUnderTest.Part;
import org.sluice.mpi.cases.MpiUnderTest.Pending;
import org.sluice.mpi.cases.MpiUnderTest.Ranks;
import org.sluice.mpi.cases.MpiUnderTest.Type;

/** A communicator of Open MPI's dialect. */
final class OpenMpiRanks implements Comm {
    private final mpi.Comm comm;
    private final boolean starts;

    OpenMpiRanks(mpi.Comm comm, boolean starts) {
        this.comm = comm;
        this.starts = starts;
    }

    private Intracomm intra() {
        return (Intracomm) comm;
    }

    private static mpi.Op of(Operation op) {
        return ((OpenMpiUnderTest.Reducing) op).op;
    }

    private static mpi.Datatype of(Type type) {
        return OpenMpiUnderTest.of(type);
    }

    private Comm made(mpi.Comm made) {
        return made.isNull() ? null : new OpenMpiRanks(made, starts);
    }

    private static int to(int rank) {
        return OpenMpiUnderTest.rank(rank);
    }

    private static int tag(int tag) {
        return OpenMpiUnderTest.tag(tag);
    }

    private static Pending begun(Request request) {
        return new OpenMpiUnderTest.Begun(request);
    }

    private static Got found(mpi.Status status) {
        return OpenMpiUnderTest.Found.of(status);
    }

    @Override
    public int rank() throws MPIException {
        return comm.getRank();
    }

    @Override
    public int size() throws MPIException {
        return comm.getSize();
    }

    @Override
    public void send(Mode mode, Part p, int to, int tag) throws MPIException {
        switch (mode) {
            case SYNCHRONOUS:
                comm.sSend(at(p), p.count, of(p.type), to(to), tag(tag));
                break;
            case READY:
                comm.rSend(at(p), p.count, of(p.type), to(to), tag(tag));
                break;
            case BUFFERED:
                comm.bSend(at(p), p.count, of(p.type), to(to), tag(tag));
                break;
            default:
                comm.send(at(p), p.count, of(p.type), to(to), tag(tag));
                break;
        }
    }

    @Override
    public Pending start(Mode mode, Part p, int to, int tag) throws MPIException {
        switch (mode) {
            case SYNCHRONOUS:
                return begun(comm.isSend(at(p), p.count, of(p.type), to(to), tag));
            case READY:
                return begun(comm.irSend(at(p), p.count, of(p.type), to(to), tag));
            case BUFFERED:
                return begun(comm.ibSend(at(p), p.count, of(p.type), to(to), tag));
            default:
                return begun(comm.iSend(at(p), p.count, of(p.type), to(to), tag));
        }
    }

    @Override
    public Pending persistent(Mode mode, Part p, int to, int tag) throws MPIException {
        switch (mode) {
            case SYNCHRONOUS:
                return begun(comm.sSendInit(at(p), p.count, of(p.type), to(to), tag));
            case READY:
                return begun(comm.rSendInit(at(p), p.count, of(p.type), to(to), tag));
            case BUFFERED:
                return begun(comm.bSendInit(at(p), p.count, of(p.type), to(to), tag));
            default:
                return begun(comm.sendInit(at(p), p.count, of(p.type), to(to), tag));
        }
    }

    @Override
    public Got receive(Part p, int from, int tag) throws MPIException {
        return found(comm.recv(at(p), p.count, of(p.type), to(from), tag(tag)));
    }

    @Override
    public Pending startReceive(Part p, int from, int tag) throws MPIException {
        return begun(comm.iRecv(at(p), p.count, of(p.type), to(from), tag(tag)));
    }

    @Override
    public Pending persistentReceive(Part p, int from, int tag) throws MPIException {
        return begun(comm.recvInit(at(p), p.count, of(p.type), to(from), tag(tag)));
    }

    @Override
    public Got probe(int from, int tag) throws MPIException {
        return found(comm.probe(to(from), tag(tag)));
    }

    @Override
    public Got probeNow(int from, int tag) throws MPIException {
        return found(comm.iProbe(to(from), tag(tag)));
    }

    @Override
    public Got exchange(Part out, int to, int tag, Part in, int from, int inTag) throws MPIException {
        return found(comm.sendRecv(
                at(out), out.count, of(out.type), to(to), tag, at(in), in.count, of(in.type), to(from), tag(inTag)));
    }

    @Override
    public Got replace(Part p, int to, int tag, int from, int inTag) throws MPIException {
        return found(comm.sendRecvReplace(at(p), p.count, of(p.type), to(to), tag, to(from), tag(inTag)));
    }

    @Override
    public int packedSize(int count, Type type) throws MPIException {
        return comm.packSize(count, of(type));
    }

    @Override
    public int pack(Part from, Object packed, int position) throws MPIException {
        return comm.pack(at(from), from.count, of(from.type), (byte[]) packed, position);
    }

    @Override
    public int unpack(Object packed, int position, Part to) throws MPIException {
        return comm.unpack((byte[]) packed, position, at(to), to.count, of(to.type));
    }

    @Override
    public void barrier() throws MPIException {
        if (starts) {
            comm.iBarrier().waitFor();
        } else {
            comm.barrier();
        }
    }

    @Override
    public void broadcast(Part p, int root) throws MPIException {
        if (starts) {
            comm.iBcast(at(p), p.count, of(p.type), root).waitFor();
        } else {
            comm.bcast(at(p), p.count, of(p.type), root);
        }
    }

    @Override
    public void gather(Part a, Part b, int root) throws MPIException {
        Part own = rank() == root ? b : a;
        if (a.array == b.array && starts) {
            comm.iGather(at(own), own.count, of(own.type), root).waitFor();
        } else if (a.array == b.array) {
            comm.gather(at(own), own.count, of(own.type), root);
        } else if (starts) {
            comm.iGather(at(a), a.count, of(a.type), at(b), b.count, of(b.type), root)
                    .waitFor();
        } else {
            comm.gather(at(a), a.count, of(a.type), at(b), b.count, of(b.type), root);
        }
    }

    /** The root has its own block where it belongs, the others send: in place is what the root's is. */
    @Override
    public void gather(Part a, Part b, int[] counts, int[] places, int root) throws MPIException {
        boolean isInPlace = a.array == b.array;
        if (starts) {
            Request started = !isInPlace
                    ? comm.iGatherv(at(a), a.count, of(a.type), at(b), counts, places, of(b.type), root)
                    : rank() == root
                            ? comm.iGatherv(at(b), counts, places, of(b.type), root)
                            : comm.iGatherv(at(a), a.count, of(a.type), root);
            started.waitFor();
        } else if (!isInPlace) {
            comm.gatherv(at(a), a.count, of(a.type), at(b), counts, places, of(b.type), root);
        } else if (rank() == root) {
            comm.gatherv(at(b), counts, places, of(b.type), root);
        } else {
            comm.gatherv(at(a), a.count, of(a.type), root);
        }
    }

    @Override
    public void scatter(Part a, Part b, int root) throws MPIException {
        Part own = rank() == root ? a : b;
        if (a.array == b.array && starts) {
            comm.iScatter(at(own), own.count, of(own.type), root).waitFor();
        } else if (a.array == b.array) {
            comm.scatter(at(own), own.count, of(own.type), root);
        } else if (starts) {
            comm.iScatter(at(a), a.count, of(a.type), at(b), b.count, of(b.type), root)
                    .waitFor();
        } else {
            comm.scatter(at(a), a.count, of(a.type), at(b), b.count, of(b.type), root);
        }
    }

    @Override
    public void scatter(Part a, int[] counts, int[] places, Part b, int root) throws MPIException {
        boolean isInPlace = a.array == b.array;
        if (starts) {
            Request started = !isInPlace
                    ? comm.iScatterv(at(a), counts, places, of(a.type), at(b), b.count, of(b.type), root)
                    : rank() == root
                            ? comm.iScatterv(at(a), counts, places, of(a.type), root)
                            : comm.iScatterv(at(b), b.count, of(b.type), root);
            started.waitFor();
        } else if (!isInPlace) {
            comm.scatterv(at(a), counts, places, of(a.type), at(b), b.count, of(b.type), root);
        } else if (rank() == root) {
            comm.scatterv(at(a), counts, places, of(a.type), root);
        } else {
            comm.scatterv(at(b), b.count, of(b.type), root);
        }
    }

    @Override
    public void allGather(Part a, Part b) throws MPIException {
        if (a.array == b.array && starts) {
            comm.iAllGather(at(b), b.count, of(b.type)).waitFor();
        } else if (a.array == b.array) {
            comm.allGather(at(b), b.count, of(b.type));
        } else if (starts) {
            comm.iAllGather(at(a), a.count, of(a.type), at(b), b.count, of(b.type))
                    .waitFor();
        } else {
            comm.allGather(at(a), a.count, of(a.type), at(b), b.count, of(b.type));
        }
    }

    @Override
    public void allGather(Part a, Part b, int[] counts, int[] places) throws MPIException {
        if (a.array == b.array && starts) {
            comm.iAllGatherv(at(b), counts, places, of(b.type)).waitFor();
        } else if (a.array == b.array) {
            comm.allGatherv(at(b), counts, places, of(b.type));
        } else if (starts) {
            comm.iAllGatherv(at(a), a.count, of(a.type), at(b), counts, places, of(b.type))
                    .waitFor();
        } else {
            comm.allGatherv(at(a), a.count, of(a.type), at(b), counts, places, of(b.type));
        }
    }

    @Override
    public void allToAll(Part a, Part b) throws MPIException {
        if (starts) {
            comm.iAllToAll(at(a), a.count, of(a.type), at(b), b.count, of(b.type))
                    .waitFor();
        } else {
            comm.allToAll(at(a), a.count, of(a.type), at(b), b.count, of(b.type));
        }
    }

    @Override
    public void allToAll(Part a, int[] counts, int[] places, Part b, int[] inCounts, int[] inPlaces)
            throws MPIException {
        if (starts) {
            comm.iAllToAllv(at(a), counts, places, of(a.type), at(b), inCounts, inPlaces, of(b.type))
                    .waitFor();
        } else {
            comm.allToAllv(at(a), counts, places, of(a.type), at(b), inCounts, inPlaces, of(b.type));
        }
    }

    @Override
    public void reduce(Part a, Part b, Operation op, int root) throws MPIException {
        Part own = rank() == root ? b : a;
        if (a.array == b.array && starts) {
            comm.iReduce(at(own), own.count, of(own.type), of(op), root).waitFor();
        } else if (a.array == b.array) {
            comm.reduce(at(own), own.count, of(own.type), of(op), root);
        } else if (starts) {
            comm.iReduce(at(a), at(b), a.count, of(a.type), of(op), root).waitFor();
        } else {
            comm.reduce(at(a), at(b), a.count, of(a.type), of(op), root);
        }
    }

    @Override
    public void allReduce(Part a, Part b, Operation op) throws MPIException {
        if (a.array == b.array && starts) {
            comm.iAllReduce(at(b), b.count, of(b.type), of(op)).waitFor();
        } else if (a.array == b.array) {
            comm.allReduce(at(b), b.count, of(b.type), of(op));
        } else if (starts) {
            comm.iAllReduce(at(a), at(b), a.count, of(a.type), of(op)).waitFor();
        } else {
            comm.allReduce(at(a), at(b), a.count, of(a.type), of(op));
        }
    }

    @Override
    public void reduceScatter(Part a, Part b, int[] counts, Operation op) throws MPIException {
        if (starts) {
            comm.iReduceScatter(at(a), at(b), counts, of(a.type), of(op)).waitFor();
        } else {
            comm.reduceScatter(at(a), at(b), counts, of(a.type), of(op));
        }
    }

    @Override
    public void scan(Part a, Part b, Operation op) throws MPIException {
        if (a.array == b.array && starts) {
            intra().iScan(at(b), b.count, of(b.type), of(op)).waitFor();
        } else if (a.array == b.array) {
            intra().scan(at(b), b.count, of(b.type), of(op));
        } else if (starts) {
            intra().iScan(at(a), at(b), a.count, of(a.type), of(op)).waitFor();
        } else {
            intra().scan(at(a), at(b), a.count, of(a.type), of(op));
        }
    }

    @Override
    public Comm duplicate() throws MPIException {
        return made(comm.dup());
    }

    @Override
    public Comm split(int color, int key) throws MPIException {
        return made(intra().split(color == MpiUnderTest.UNDEFINED ? MPI.UNDEFINED : color, key));
    }

    @Override
    public Comm create(Ranks ranks) throws MPIException {
        return made(intra().create(((OpenMpiGroup) ranks).group));
    }

    @Override
    public Ranks group() throws MPIException {
        return new OpenMpiGroup(comm.getGroup());
    }

    @Override
    public String compare(Comm other) throws MPIException {
        return OpenMpiUnderTest.comparison(mpi.Comm.compare(comm, ((OpenMpiRanks) other).comm));
    }

    @Override
    public void free() throws MPIException {
        comm.free();
    }

    @Override
    public Object highestTag() throws MPIException {
        return comm.getAttr(MPI.TAG_UB);
    }

    @Override
    public Comm cartesian(int[] dims, boolean[] periods) throws MPIException {
        return made(intra().createCart(dims, periods, false));
    }

    private CartComm cart() {
        return (CartComm) comm;
    }

    @Override
    public int rankAt(int... coords) throws MPIException {
        return cart().getRank(coords);
    }

    @Override
    public int[] coords(int rank) throws MPIException {
        return cart().getCoords(rank);
    }

    private static int neighbour(int rank) {
        return rank == MPI.PROC_NULL ? MpiUnderTest.NOBODY : rank;
    }

    @Override
    public int[] shift(int dimension, int by) throws MPIException {
        ShiftParms shift = cart().shift(dimension, by);
        return new int[] {neighbour(shift.getRankSource()), neighbour(shift.getRankDest())};
    }

    @Override
    public Comm sub(boolean... remaining) throws MPIException {
        return made(cart().sub(remaining));
    }

    @Override
    public Object[] grid() throws MPIException {
        CartParms all = cart().getTopo();
        int[] dims = new int[all.getDimCount()];
        boolean[] periods = new boolean[dims.length];
        int[] coords = new int[dims.length];
        for (int i = 0; i < dims.length; i++) {
            dims[i] = all.getDim(i);
            periods[i] = all.getPeriod(i);
            coords[i] = all.getCoord(i);
        }
        return new Object[] {dims, periods, coords};
    }

    @Override
    public Comm graph(int[] index, int[] edges) throws MPIException {
        return made(intra().createGraph(index, edges, false));
    }

    @Override
    public int[] neighbours(int rank) throws MPIException {
        return ((GraphComm) comm).getNeighbors(rank);
    }

    @Override
    public int[][] edges() throws MPIException {
        GraphParms all = ((GraphComm) comm).getDims();
        int[] index = new int[all.getIndexCount()];
        int[] edges = new int[all.getEdgeCount()];
        for (int i = 0; i < index.length; i++) {
            index[i] = all.getIndex(i);
        }
        for (int i = 0; i < edges.length; i++) {
            edges[i] = all.getEdge(i);
        }
        return new int[][] {index, edges};
    }

    @Override
    public String topology() throws MPIException {
        int kind = comm.getTopology();
        return kind == MPI.CART ? "CART" : kind == MPI.GRAPH ? "GRAPH" : "none";
    }

    @Override
    public Comm connect(Comm own, int leader, int otherLeader, int tag) throws MPIException {
        return made(comm.createIntercomm(((OpenMpiRanks) own).comm, leader, otherLeader, tag));
    }

    @Override
    public boolean isInter() throws MPIException {
        return comm.isInter();
    }

    @Override
    public int remoteSize() throws MPIException {
        return ((Intercomm) comm).getRemoteSize();
    }

    @Override
    public Ranks remoteGroup() throws MPIException {
        return new OpenMpiGroup(((Intercomm) comm).getRemoteGroup());
    }

    @Override
    public Comm merge(boolean high) throws MPIException {
        return made(((Intercomm) comm).merge(high));
    }
}
