package mpi;

import java.nio.Buffer;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Place;

/** A communicator of one group, and what makes others of it. */
public class Intracomm extends Comm {
    Intracomm(Communicator communicator) {
        super(communicator);
    }

    @Override
    public Intracomm clone() {
        return (Intracomm) super.clone();
    }

    @Override
    public Intracomm dup() throws MPIException {
        return inheriting(new Intracomm((Communicator) duplicated()), null);
    }

    @Override
    public Intracomm iDup() throws MPIException {
        return duplicating(new Intracomm(null));
    }

    @Override
    public Intracomm dupWithInfo(Info hints) throws MPIException {
        return inheriting(new Intracomm((Communicator) duplicated()), hints);
    }

    private interface Making<C extends Comm> {
        C make(Communicator all) throws MPIException;
    }

    /** Runs what makes another of this one. */
    private <C extends Comm> C made(Making<C> making) throws MPIException {
        try {
            return inheriting(making.make(intra()), null);
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Comm_split: null for a rank whose colour is {@link MPI#UNDEFINED}, as isNull() says. */
    public final Intracomm split(int colour, int key) throws MPIException {
        if (colour < 0 && colour != MPI.UNDEFINED) {
            throw failed(Errors.of(MPI.ERR_ARG, "colour " + colour + ": 0 or more, or MPI.UNDEFINED"));
        }
        return made(all -> new Intracomm(all.split(colour == MPI.UNDEFINED ? -1 : colour, key)));
    }

    /** MPI_Comm_split_type: by {@link Comm#TYPE_SHARED}, or {@link MPI#UNDEFINED} for a rank that is in none. */
    public final Intracomm splitType(int splitType, int key, Info info) throws MPIException {
        if (splitType != TYPE_SHARED && splitType != MPI.UNDEFINED) {
            throw failed(Errors.of(MPI.ERR_ARG, "split type " + splitType + ": Comm.TYPE_SHARED, or MPI.UNDEFINED"));
        }
        Place place = splitType == MPI.UNDEFINED ? null : Place.NODE;
        return made(all -> new Intracomm(all.splitByPlace(place, key)));
    }

    /** MPI_Comm_create: null for a rank that isn't in the group. */
    public final Intracomm create(Group group) throws MPIException {
        return made(all -> new Intracomm(all.create(Group.of(group))));
    }

    /** MPI_Comm_create_group: the group's ranks alone call it. */
    public final Intracomm createGroup(Group group, int tag) throws MPIException {
        return made(all -> new Intracomm(all.createGroup(Group.of(group), tag)));
    }

    /** MPI_Cart_create: null for ranks for which the grid has no place. */
    public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        return made(all -> new CartComm(all.createCartesian(dims, periods, reorder)));
    }

    /** MPI_Graph_create: ranks stay as they are; null for those that are no node. */
    public final GraphComm createGraph(int[] index, int[] edges, boolean reorder) throws MPIException {
        return made(all -> new GraphComm(all.createGraph(index, edges)));
    }

    /** MPI_Dist_graph_create: ranks stay as they are. */
    public final GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, int[] weights, Info hints, boolean reorder)
            throws MPIException {
        return made(all -> new GraphComm(all.createDistributedGraph(sources, degrees, destinations, weights)));
    }

    /** MPI_Dist_graph_create, without weights. */
    public final GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, Info hints, boolean reorder) throws MPIException {
        return made(all -> new GraphComm(all.createDistributedGraph(sources, degrees, destinations)));
    }

    /** MPI_Dist_graph_create_adjacent: ranks stay as they are. */
    public final GraphComm createDistGraphAdjacent(
            int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, Info hints, boolean reorder)
            throws MPIException {
        return made(all ->
                new GraphComm(all.createDistributedGraphAdjacent(sources, sourceWeights, destinations, destWeights)));
    }

    /** MPI_Dist_graph_create_adjacent, without weights. */
    public final GraphComm createDistGraphAdjacent(int[] sources, int[] destinations, Info hints, boolean reorder)
            throws MPIException {
        return made(all -> new GraphComm(all.createDistributedGraphAdjacent(sources, destinations)));
    }

    // --- scans -------------------------------------------------------------------------------------------------------

    /** MPI_Scan. */
    public final void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        try {
            Operands operands = new Operands(sendbuf, recvbuf, count, type);
            intra().scan(operands.contribution, operands.result, Op.reduction(op, type));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Iscan. */
    public final Request iScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return iScan((Object) sendbuf, (Object) recvbuf, count, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        try {
            Operands operands = new Operands(sendbuf, recvbuf, count, type);
            return new Request(intra().iscan(operands.contribution, operands.result, Op.reduction(op, type))).of(this);
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Scan, in place. */
    public final void scan(Object buf, int count, Datatype type, Op op) throws MPIException {
        try {
            Operands operands = new Operands(Data.IN_PLACE, buf, count, type);
            intra().scan(operands.contribution, operands.result, Op.reduction(op, type));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Iscan, in place. */
    public final Request iScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iScan((Object) buf, count, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        try {
            Operands operands = new Operands(Data.IN_PLACE, buf, count, type);
            return new Request(intra().iscan(operands.contribution, operands.result, Op.reduction(op, type))).of(this);
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Exscan. */
    public final void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        try {
            Operands operands = new Operands(sendbuf, recvbuf, count, type);
            intra().exclusiveScan(operands.contribution, operands.result, Op.reduction(op, type));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Iexscan. */
    public final Request iExScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return iExScan((Object) sendbuf, (Object) recvbuf, count, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iExScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        try {
            Operands operands = new Operands(sendbuf, recvbuf, count, type);
            return new Request(intra().iexclusiveScan(operands.contribution, operands.result, Op.reduction(op, type)))
                    .of(this);
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Exscan, in place. */
    public final void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        try {
            Operands operands = new Operands(Data.IN_PLACE, buf, count, type);
            intra().exclusiveScan(operands.contribution, operands.result, Op.reduction(op, type));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Iexscan, in place. */
    public final Request iExScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iExScan((Object) buf, count, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iExScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        try {
            Operands operands = new Operands(Data.IN_PLACE, buf, count, type);
            return new Request(intra().iexclusiveScan(operands.contribution, operands.result, Op.reduction(op, type)))
                    .of(this);
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    // --- processes that come later -----------------------------------------------------------------------------------

    /** MPI_Open_port: throws ERR_UNSUPPORTED_OPERATION. */
    public static String openPort() throws MPIException {
        throw Errors.unsupported("MPI_Open_port", "start all ranks together");
    }

    /** MPI_Open_port: throws ERR_UNSUPPORTED_OPERATION. */
    public static String openPort(Info info) throws MPIException {
        throw Errors.unsupported("MPI_Open_port", "start all ranks together");
    }

    /** MPI_Close_port: throws ERR_UNSUPPORTED_OPERATION. */
    public static void closePort(String name) throws MPIException {
        throw Errors.unsupported("MPI_Close_port", "start all ranks together");
    }

    /** MPI_Comm_accept: throws ERR_UNSUPPORTED_OPERATION. */
    public final Intercomm accept(String port, int root) throws MPIException {
        throw Errors.unsupported("MPI_Comm_accept", "start all ranks together");
    }

    /** MPI_Comm_accept: throws ERR_UNSUPPORTED_OPERATION. */
    public final Intercomm accept(String port, Info info, int root) throws MPIException {
        throw Errors.unsupported("MPI_Comm_accept", "start all ranks together");
    }

    /** MPI_Comm_connect: throws ERR_UNSUPPORTED_OPERATION. */
    public final Intercomm connect(String port, int root) throws MPIException {
        throw Errors.unsupported("MPI_Comm_connect", "start all ranks together");
    }

    /** MPI_Comm_connect: throws ERR_UNSUPPORTED_OPERATION. */
    public final Intercomm connect(String port, Info info, int root) throws MPIException {
        throw Errors.unsupported("MPI_Comm_connect", "start all ranks together");
    }

    /** MPI_Publish_name: throws ERR_UNSUPPORTED_OPERATION. */
    public static void publishName(String service, String port) throws MPIException {
        throw Errors.unsupported("MPI_Publish_name", "start all ranks together");
    }

    /** MPI_Publish_name: throws ERR_UNSUPPORTED_OPERATION. */
    public static void publishName(String service, Info info, String port) throws MPIException {
        throw Errors.unsupported("MPI_Publish_name", "start all ranks together");
    }

    /** MPI_Unpublish_name: throws ERR_UNSUPPORTED_OPERATION. */
    public static void unpublishName(String service, String port) throws MPIException {
        throw Errors.unsupported("MPI_Unpublish_name", "start all ranks together");
    }

    /** MPI_Unpublish_name: throws ERR_UNSUPPORTED_OPERATION. */
    public static void unpublishName(String service, Info info, String port) throws MPIException {
        throw Errors.unsupported("MPI_Unpublish_name", "start all ranks together");
    }

    /** MPI_Lookup_name: throws ERR_UNSUPPORTED_OPERATION. */
    public static String lookupName(String service) throws MPIException {
        throw Errors.unsupported("MPI_Lookup_name", "start all ranks together");
    }

    /** MPI_Lookup_name: throws ERR_UNSUPPORTED_OPERATION. */
    public static String lookupName(String service, Info info) throws MPIException {
        throw Errors.unsupported("MPI_Lookup_name", "start all ranks together");
    }

    /** MPI_Comm_spawn: throws ERR_UNSUPPORTED_OPERATION. */
    public final Intercomm spawn(String command, String[] argv, int maxprocs, Info info, int root, int[] errcodes)
            throws MPIException {
        throw Errors.unsupported("MPI_Comm_spawn", "start all ranks together");
    }

    /** MPI_Comm_spawn_multiple: throws ERR_UNSUPPORTED_OPERATION. */
    public final Intercomm spawnMultiple(
            String[] commands, String[][] argv, int[] maxprocs, Info[] info, int root, int[] errcodes)
            throws MPIException {
        throw Errors.unsupported("MPI_Comm_spawn_multiple", "start all ranks together");
    }
}
