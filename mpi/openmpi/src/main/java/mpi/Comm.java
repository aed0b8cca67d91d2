package mpi;

import java.nio.Buffer;
import org.sluice.device.Device;
import org.sluice.mpi.AgreedSpace;
import org.sluice.mpi.AnyCommunicator;
import org.sluice.mpi.CartesianCommunicator;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.DistributedGraphCommunicator;
import org.sluice.mpi.DuplicateRequest;
import org.sluice.mpi.GraphCommunicator;
import org.sluice.mpi.Intercommunicator;
import org.sluice.mpi.MessageSpace;
import org.sluice.mpi.Packing;
import org.sluice.mpi.Reduction;
import org.sluice.mpi.TopologyCommunicator;

/**
 * MPI_Comm: ranks with a message space of their own. Each method is MPI's of the same name. Buffers are arrays of
 * primitive types and buffers of java.nio, from their element 0 on; counts are in items of the datatype. Methods
 * without a send buffer are in place.
 *
 * <p>A buffer is the call's until it returns, or its request is over. <i>Thread</i>: any, but collectives one thread
 * after the other. <i>Fails</i>: with MPIException, of the class that MPI has for it.
 */
public class Comm implements Freeable, Cloneable {
    /** For {@link Intracomm#splitType}: those that share memory. */
    public static final int TYPE_SHARED = 0;

    private static final Keyvals KEYVALS = new Keyvals("Comm");

    /** Null before Init, for a rank that is in none, and when it was freed. */
    private AgreedSpace space;

    private boolean isInter;
    private Errhandler errhandler = MPI.THROWING;
    private Info info;
    private String name = "";
    /** What iDup gives before it is there; null afterwards, and of any other. */
    private DuplicateRequest<?> pending;

    private Request duplication;

    private interface Blocking {
        void run(AgreedSpace space) throws MPIException;
    }

    private interface Starting {
        Request begin(AgreedSpace space) throws MPIException;
    }

    Comm(AgreedSpace space) {
        this.space = space;
        this.isInter = space instanceof Intercommunicator;
    }

    final void begin(AgreedSpace newSpace, String newName) {
        space = newSpace;
        name = newName;
    }

    // --- for the calls -----------------------------------------------------------------------------------------------

    final AgreedSpace space() throws MPIException {
        AgreedSpace known = pending == null ? space : awaited();
        // A barrier of a device that was closed may pass.
        if (known == null || MPI.isOver()) {
            MPI.check();
            throw Errors.of(
                    MPI.ERR_COMM,
                    "this communicator is null: it was freed, or this rank is not in it; ask isNull() first");
        }
        return known;
    }

    /** Of a duplicate on its way: a call before its request is over waits. */
    private AgreedSpace awaited() throws MPIException {
        MPI.check();
        try {
            space = pending.communicator();
        } catch (RuntimeException e) {
            throw failed(e);
        }
        pending = null;
        duplication.free();
        return space;
    }

    final Communicator intra() throws MPIException {
        AgreedSpace known = space();
        if (isInter) {
            throw Errors.of(MPI.ERR_COMM, "an intercommunicator can't do this: merge it first");
        }
        return (Communicator) known;
    }

    private Intercommunicator inter() throws MPIException {
        return (Intercommunicator) space();
    }

    private TopologyCommunicator topology() throws MPIException {
        AgreedSpace known = space();
        if (known instanceof TopologyCommunicator) {
            return (TopologyCommunicator) known;
        }
        throw Errors.of(
                MPI.ERR_TOPOLOGY,
                "this communicator has no neighbours: createCart, createGraph or createDistGraph make one that has");
    }

    /** What the caller gets; or the end of the job, if errors are fatal. */
    final MPIException failed(Exception error) {
        return errhandler.told(
                error instanceof MPIException ? (MPIException) error : Errors.of((RuntimeException) error));
    }

    private void run(Blocking call) throws MPIException {
        try {
            call.run(space());
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    private Request start(Starting call) throws MPIException {
        try {
            return call.begin(space()).of(this);
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    private int dest(int rank) throws MPIException {
        if (rank == MPI.PROC_NULL) {
            return MessageSpace.PROC_NULL;
        }
        checkRank(rank, rank == MPI.ANY_SOURCE ? "MPI.PROC_NULL; MPI.ANY_SOURCE is for receives" : "MPI.PROC_NULL");
        return rank;
    }

    private int source(int rank) throws MPIException {
        if (rank == MPI.ANY_SOURCE) {
            return Device.ANY_SOURCE;
        }
        if (rank == MPI.PROC_NULL) {
            return MessageSpace.PROC_NULL;
        }
        checkRank(rank, "MPI.PROC_NULL or MPI.ANY_SOURCE");
        return rank;
    }

    /** As {@link #dest(int)}, which it leaves all to but a rank of this communicator. */
    private int dest(AgreedSpace space, int rank) throws MPIException {
        return rank >= 0 && rank < space.size() && !isInter ? rank : dest(rank);
    }

    private int source(AgreedSpace space, int rank) throws MPIException {
        return rank >= 0 && rank < space.size() && !isInter ? rank : source(rank);
    }

    private void checkRank(int rank, String others) throws MPIException {
        int ranks = blocks();
        if (rank < 0 || rank >= ranks) {
            throw Errors.of(
                    MPI.ERR_RANK,
                    "rank " + rank + " is out of range: this communicator has ranks 0 to " + (ranks - 1) + ", or "
                            + others);
        }
    }

    private static int sendTag(int tag) throws MPIException {
        if (tag < 0) {
            throw Errors.of(
                    MPI.ERR_TAG,
                    "tag " + tag + ": tags are 0 to " + AnyCommunicator.HIGHEST_TAG + " (MPI.TAG_UB)"
                            + (tag == MPI.ANY_TAG ? "; MPI.ANY_TAG is for receives" : ""));
        }
        return tag;
    }

    private static int receiveTag(int tag) throws MPIException {
        return tag == MPI.ANY_TAG ? Device.ANY_TAG : sendTag(tag);
    }

    private int root(int root) throws MPIException {
        if (isInter && root == MPI.ROOT) {
            return Intercommunicator.ROOT;
        }
        if (isInter && root == MPI.PROC_NULL) {
            return MessageSpace.PROC_NULL;
        }
        if (root < 0 || root >= blocks()) {
            throw Errors.of(
                    MPI.ERR_ROOT,
                    "the root is " + root + ": ranks are 0 to " + (blocks() - 1)
                            + (isInter ? ", or MPI.ROOT and MPI.PROC_NULL in the root's own group" : ""));
        }
        return root;
    }

    /** Whether this rank has what the root alone has. */
    private boolean isRoot(int root) throws MPIException {
        return isInter ? root == MPI.ROOT : space().rank() == root;
    }

    /** Whether this rank has what all but the root's own group have. */
    private boolean takesPart(int root) {
        return !isInter || root >= 0;
    }

    /** The ranks that messages go to, and that blocks are for. */
    private int blocks() throws MPIException {
        return isInter ? inter().remoteSize() : space().size();
    }

    private static Object items(Object buffer, int count, Datatype type) throws MPIException {
        Buffers.checkCount(count);
        return Buffers.items(buffer, count, type);
    }

    private static Object items(Object buffer, int count, int ranks, Datatype type) throws MPIException {
        Buffers.checkCount(count);
        return Buffers.items(buffer, (long) count * ranks, type);
    }

    private void refuseInter() throws MPIException {
        if (isInter) {
            throw failed(Errors.of(MPI.ERR_COMM, "an intercommunicator has no call in place: give both buffers"));
        }
    }

    private static Reduction reduction(Op op, Datatype type) throws MPIException {
        return Op.reduction(op, type);
    }

    // --- what it is --------------------------------------------------------------------------------------------------

    final AgreedSpace duplicated() throws MPIException {
        AgreedSpace known = space();
        try {
            return isInter ? inter().duplicate() : ((Communicator) known).duplicate();
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    /** What a new communicator has of this one. */
    final <C extends Comm> C inheriting(C made, Info hints) throws MPIException {
        Comm its = made;
        its.errhandler = errhandler;
        its.info = hints == null ? info : Info.copyOf(hints);
        return made;
    }

    /** What iDup gives. */
    final <C extends Comm> C duplicating(C made) throws MPIException {
        Comm its = made;
        its.isInter = isInter;
        try {
            its.pending = isInter ? inter().iduplicate() : intra().iduplicate();
        } catch (RuntimeException e) {
            throw failed(e);
        }
        its.duplication = new Request(its.pending.request()).of(this);
        return inheriting(made, null);
    }

    /** As {@link #dup}, with an unchecked exception. */
    @Override
    public Comm clone() {
        try {
            return dup();
        } catch (MPIException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** MPI_Comm_dup. */
    public Comm dup() throws MPIException {
        return inheriting(new Comm(duplicated()), null);
    }

    /** MPI_Comm_idup: {@link #getRequest} gives the request. */
    public Comm iDup() throws MPIException {
        return duplicating(new Comm(null));
    }

    /** MPI_Comm_dup_with_info. */
    public Comm dupWithInfo(Info hints) throws MPIException {
        return inheriting(new Comm(duplicated()), hints);
    }

    /** The request of {@link #iDup}; null if this was made by another call. */
    public final Request getRequest() {
        return duplication;
    }

    /** MPI_Comm_size. */
    public final int getSize() throws MPIException {
        return space().size();
    }

    /** MPI_Comm_rank. */
    public final int getRank() throws MPIException {
        return space().rank();
    }

    static Comm given(Comm comm) throws MPIException {
        if (comm == null) {
            throw Errors.of(MPI.ERR_COMM, "the communicator is null: MPI.COMM_WORLD has all ranks");
        }
        return comm;
    }

    /** MPI_Comm_compare: {@link MPI#IDENT}, {@link MPI#CONGRUENT}, {@link MPI#SIMILAR} or {@link MPI#UNEQUAL}. */
    public static int compare(Comm comm1, Comm comm2) throws MPIException {
        given(comm1).space();
        given(comm2).space();
        if (comm1.isInter != comm2.isInter) {
            return MPI.UNEQUAL;
        }
        Communicator.Comparison found = comm1.isInter
                ? comm1.inter().compare(comm2.inter())
                : comm1.intra().compare(comm2.intra());
        switch (found) {
            case IDENTICAL:
                return MPI.IDENT;
            case CONGRUENT:
                return MPI.CONGRUENT;
            case SIMILAR:
                return MPI.SIMILAR;
            default:
                return MPI.UNEQUAL;
        }
    }

    /** MPI_Comm_free: all ranks call it. */
    @Override
    public final void free() throws MPIException {
        try {
            space().free();
        } catch (IllegalStateException e) {
            throw failed(new MPIException(MPI.ERR_COMM, e.getMessage(), e));
        } catch (RuntimeException e) {
            throw failed(e);
        }
        space = null;
    }

    /** Whether it was freed, or this rank isn't in it. */
    public final boolean isNull() {
        return space == null && pending == null;
    }

    /** MPI_Comm_set_info. */
    public final void setInfo(Info hints) throws MPIException {
        space();
        info = Info.copyOf(hints);
    }

    /** MPI_Comm_get_info: a copy. */
    public final Info getInfo() throws MPIException {
        space();
        return Info.copyOf(info);
    }

    /** MPI_Comm_disconnect: as {@link #free}. */
    public final void disconnect() throws MPIException {
        free();
    }

    /** MPI_Comm_group: the own one of an intercommunicator. */
    public final Group getGroup() throws MPIException {
        space();
        return new Group(isInter ? inter().group() : intra().group());
    }

    /** MPI_Comm_test_inter. */
    public final boolean isInter() throws MPIException {
        space();
        return isInter;
    }

    /**
     * MPI_Intercomm_create, of the communicator that both leaders are in.
     *
     * @param localComm of the own group, with its leader's rank there
     * @param remoteLeader a rank of this communicator
     */
    public final Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag)
            throws MPIException {
        try {
            return inheriting(
                    new Intercomm(localComm
                            .intra()
                            .createIntercommunicator(localLeader, intra(), remoteLeader, sendTag(tag))),
                    null);
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    // --- messages ----------------------------------------------------------------------------------------------------

    /** MPI_Send. */
    public final void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        try {
            AgreedSpace to = space();
            if (type != null && type.isPlain(buf, count)) {
                to.send(buf, 0, count, dest(to, dest), sendTag(tag));
                return;
            }
            Buffers.checkCount(count);
            int units = Buffers.units(buf, Datatype.used(type));
            if (units > 0) {
                to.send(Buffers.whole(buf), 0, (long) count * units, dest(dest), sendTag(tag));
            } else {
                to.send(Buffers.items(buf, count, type), dest(dest), sendTag(tag));
            }
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Recv. */
    public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        try {
            AgreedSpace from = space();
            org.sluice.device.Status status = MPI.scratch();
            if (type != null && type.isPlain(buf, count)) {
                from.recv(buf, 0, count, source(from, source), receiveTag(tag), status);
                return new Status(status);
            }
            Buffers.checkCount(count);
            int units = Buffers.units(buf, Datatype.used(type));
            if (units > 0) {
                from.recv(Buffers.whole(buf), 0, (long) count * units, source(source), receiveTag(tag), status);
            } else {
                from.recv(Buffers.items(buf, count, type), source(source), receiveTag(tag), status);
            }
            return new Status(status);
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Sendrecv. */
    public final Status sendRecv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag)
            throws MPIException {
        try {
            return new Status(space().sendRecv(
                            items(sendbuf, sendcount, sendtype),
                            dest(dest),
                            sendTag(sendtag),
                            items(recvbuf, recvcount, recvtype),
                            source(source),
                            receiveTag(recvtag)));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Sendrecv_replace. */
    public final Status sendRecvReplace(
            Object buf, int count, Datatype type, int dest, int sendtag, int source, int recvtag) throws MPIException {
        try {
            return new Status(space().sendRecvReplace(
                            items(buf, count, type),
                            dest(dest),
                            sendTag(sendtag),
                            source(source),
                            receiveTag(recvtag)));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Bsend: into the buffer of {@link MPI#attachBuffer}. */
    public final void bSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        run(to -> {
            MPI.checkBuffered(dest);
            to.bsend(items(buf, count, type), dest(dest), sendTag(tag));
        });
    }

    /** MPI_Ssend. */
    public final void sSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        run(to -> to.ssend(items(buf, count, type), dest(dest), sendTag(tag)));
    }

    /** MPI_Rsend. */
    public final void rSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        run(to -> to.rsend(items(buf, count, type), dest(dest), sendTag(tag)));
    }

    /** MPI_Isend. */
    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return iSend((Object) buf, count, type, dest, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return start(to -> new Request(to.isend(items(buf, count, type), dest(dest), sendTag(tag))));
    }

    /** MPI_Ibsend. */
    public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return ibSend((Object) buf, count, type, dest, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Request ibSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return start(to -> {
            MPI.checkBuffered(dest);
            return new Request(to.ibsend(items(buf, count, type), dest(dest), sendTag(tag)));
        });
    }

    /** MPI_Issend. */
    public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return isSend((Object) buf, count, type, dest, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Request isSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return start(to -> new Request(to.issend(items(buf, count, type), dest(dest), sendTag(tag))));
    }

    /** MPI_Irsend. */
    public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return irSend((Object) buf, count, type, dest, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Request irSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return start(to -> new Request(to.irsend(items(buf, count, type), dest(dest), sendTag(tag))));
    }

    /** MPI_Irecv. */
    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return iRecv((Object) buf, count, type, source, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iRecv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return start(from -> new Request(from.irecv(items(buf, count, type), source(source), receiveTag(tag))));
    }

    /** MPI_Send_init. */
    public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sendInit((Object) buf, count, type, dest, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Prequest sendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return (Prequest) start(to -> new Prequest(to.sendInit(items(buf, count, type), dest(dest), sendTag(tag))));
    }

    /** MPI_Bsend_init. */
    public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return bSendInit((Object) buf, count, type, dest, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Prequest bSendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return (Prequest) start(to -> new Prequest(to.bsendInit(items(buf, count, type), dest(dest), sendTag(tag))));
    }

    /** MPI_Ssend_init. */
    public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sSendInit((Object) buf, count, type, dest, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Prequest sSendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return (Prequest) start(to -> new Prequest(to.ssendInit(items(buf, count, type), dest(dest), sendTag(tag))));
    }

    /** MPI_Rsend_init. */
    public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return rSendInit((Object) buf, count, type, dest, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Prequest rSendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return (Prequest) start(to -> new Prequest(to.rsendInit(items(buf, count, type), dest(dest), sendTag(tag))));
    }

    /** MPI_Recv_init. */
    public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return recvInit((Object) buf, count, type, source, tag);
    }

    /** As that with buffers, of arrays, too. */
    public final Prequest recvInit(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return (Prequest)
                start(from -> new Prequest(from.recvInit(items(buf, count, type), source(source), receiveTag(tag))));
    }

    /** MPI_Pack: the position behind, in bytes. */
    public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position) throws MPIException {
        try {
            space();
            return Math.toIntExact(Packing.pack(items(inbuf, incount, type), outbuf, position));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Unpack: the position behind, in bytes. */
    public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type)
            throws MPIException {
        try {
            space();
            return Math.toIntExact(Packing.unpack(inbuf, position, items(outbuf, outcount, type)));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Pack_size: in bytes. */
    public final int packSize(int incount, Datatype type) throws MPIException {
        try {
            space();
            Buffers.checkCount(incount);
            return Math.toIntExact(incount * Datatype.used(type).layout().size());
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Iprobe: null if there is no message. */
    public final Status iProbe(int source, int tag) throws MPIException {
        try {
            org.sluice.device.Status status = space().iprobe(source(source), receiveTag(tag));
            return status == null ? null : new Status(status);
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** MPI_Probe. */
    public final Status probe(int source, int tag) throws MPIException {
        try {
            return new Status(space().probe(source(source), receiveTag(tag)));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    /** For {@link Message}; null if there is none and it doesn't wait. */
    final org.sluice.device.Message matched(int source, int tag, boolean waits) throws MPIException {
        try {
            AgreedSpace from = space();
            return waits ? from.mprobe(source(source), receiveTag(tag)) : from.improbe(source(source), receiveTag(tag));
        } catch (RuntimeException | MPIException e) {
            throw failed(e);
        }
    }

    // --- attributes, errors, names -----------------------------------------------------------------------------------

    /** MPI_Comm_create_keyval: a duplicate has the value of its original. */
    public static int createKeyval() throws MPIException {
        MPI.check();
        return KEYVALS.create();
    }

    /** MPI_Comm_free_keyval. */
    public static void freeKeyval(int keyval) throws MPIException {
        MPI.check();
        KEYVALS.free(keyval);
    }

    /** MPI_Comm_set_attr. */
    public final void setAttr(int keyval, Object value) throws MPIException {
        run(of -> of.setAttribute(KEYVALS.get(keyval), Keyvals.given(value)));
    }

    /** MPI_Comm_get_attr: null if there is none; those of MPI's own are an Integer or a Boolean. */
    public final Object getAttr(int keyval) throws MPIException {
        AgreedSpace of = space();
        switch (keyval) {
            case MPI.TAG_UB:
                return AnyCommunicator.HIGHEST_TAG;
            case MPI.HOST:
                return MPI.PROC_NULL;
            case MPI.IO:
                return MPI.ANY_SOURCE;
            case MPI.WTIME_IS_GLOBAL:
                return Boolean.FALSE;
            case MPI.APPNUM:
                return 0;
            case MPI.LASTUSEDCODE:
                return MPI.ERR_LASTCODE;
            case MPI.UNIVERSE_SIZE:
                return of.device().size();
            default:
                return Keyvals.told(of.attribute(KEYVALS.get(keyval)));
        }
    }

    /** MPI_Comm_delete_attr. */
    public final void deleteAttr(int keyval) throws MPIException {
        run(of -> of.deleteAttribute(KEYVALS.get(keyval)));
    }

    /** MPI_Topo_test: {@link MPI#CART}, {@link MPI#GRAPH}, {@link MPI#DIST_GRAPH} or {@link MPI#UNDEFINED}. */
    public final int getTopology() throws MPIException {
        AgreedSpace of = space();
        if (of instanceof CartesianCommunicator) {
            return MPI.CART;
        }
        if (of instanceof GraphCommunicator) {
            return MPI.GRAPH;
        }
        return of instanceof DistributedGraphCommunicator ? MPI.DIST_GRAPH : MPI.UNDEFINED;
    }

    /** MPI_Abort: ends the whole job with the lowest 8 bits of this status, or with 1 where these are 0. */
    public final void abort(int errorcode) throws MPIException {
        space();
        MPI.abort(errorcode, "abort(" + errorcode + ")");
    }

    /** MPI_Comm_set_errhandler. */
    public final void setErrhandler(Errhandler handler) throws MPIException {
        space();
        if (handler == null) {
            throw failed(Errors.of(MPI.ERR_ARG, "the error handler is null: MPI.ERRORS_RETURN is the first one"));
        }
        errhandler = handler;
    }

    /** MPI_Comm_get_errhandler. */
    public final Errhandler getErrhandler() throws MPIException {
        space();
        return errhandler;
    }

    /** MPI_Comm_call_errhandler: ends the job if errors are fatal. */
    public void callErrhandler(int errorcode) throws MPIException {
        space();
        errhandler.told(Errors.of(errorcode, "the program has found an error of class " + errorcode));
    }

    /** MPI_Comm_set_name: on this rank. */
    public final void setName(String newName) throws MPIException {
        run(of -> of.rename(newName));
        name = newName;
    }

    /** MPI_Comm_get_name: empty until one is set. */
    public final String getName() throws MPIException {
        space();
        return name;
    }

    // --- collectives -------------------------------------------------------------------------------------------------

    /** MPI_Barrier. */
    public final void barrier() throws MPIException {
        run(AgreedSpace::barrier);
    }

    /** MPI_Ibarrier. */
    public final Request iBarrier() throws MPIException {
        return start(all -> new Request(all.ibarrier()));
    }

    /** MPI_Bcast. */
    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        run(all -> all.broadcast(takesPart(root) || isRoot(root) ? items(buf, count, type) : null, root(root)));
    }

    /** MPI_Ibcast. */
    public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iBcast((Object) buf, count, type, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iBcast(Object buf, int count, Datatype type, int root) throws MPIException {
        return start(all -> new Request(
                all.ibroadcast(takesPart(root) || isRoot(root) ? items(buf, count, type) : null, root(root))));
    }

    /** MPI_Gather. */
    public final void gather(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        run(all -> all.gather(
                contribution(Buffers.apart(sendbuf, isRoot(root) ? recvbuf : null), sendcount, sendtype, root),
                rootItems(recvbuf, recvcount, recvtype, root),
                root(root)));
    }

    /** MPI_Igather. */
    public final Request iGather(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return iGather((Object) sendbuf, sendcount, sendtype, (Object) recvbuf, recvcount, recvtype, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iGather(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return start(all -> new Request(all.igather(
                contribution(sendbuf, sendcount, sendtype, root),
                rootItems(recvbuf, recvcount, recvtype, root),
                root(root))));
    }

    /** MPI_Gather, in place at the root; the others send what the buffer has. */
    public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
        refuseInter();
        run(all -> all.gather(
                isRoot(root) ? Data.IN_PLACE : items(buf, count, type), rootItems(buf, count, type, root), root(root)));
    }

    /** MPI_Igather, in place at the root; the others send what the buffer has. */
    public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iGather((Object) buf, count, type, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iGather(Object buf, int count, Datatype type, int root) throws MPIException {
        refuseInter();
        return start(all -> new Request(all.igather(
                isRoot(root) ? Data.IN_PLACE : items(buf, count, type),
                rootItems(buf, count, type, root),
                root(root))));
    }

    /** MPI_Gatherv. */
    public final void gatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root)
            throws MPIException {
        run(all -> all.gatherBlocks(
                contribution(Buffers.apart(sendbuf, isRoot(root) ? recvbuf : null), sendcount, sendtype, root),
                rootBlocks(recvbuf, recvcount, displs, recvtype, root),
                root(root)));
    }

    /** MPI_Igatherv. */
    public final Request iGatherv(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root)
            throws MPIException {
        return iGatherv((Object) sendbuf, sendcount, sendtype, (Object) recvbuf, recvcount, displs, recvtype, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root)
            throws MPIException {
        return start(all -> new Request(all.igatherBlocks(
                contribution(sendbuf, sendcount, sendtype, root),
                rootBlocks(recvbuf, recvcount, displs, recvtype, root),
                root(root))));
    }

    /** MPI_Gatherv, in place, at the root. */
    public final void gatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
            throws MPIException {
        refuseInter();
        run(all -> all.gatherBlocks(Data.IN_PLACE, Buffers.blocks(recvbuf, recvcount, displs, recvtype), root(root)));
    }

    /** MPI_Igatherv, in place, at the root. */
    public final Request iGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
            throws MPIException {
        return iGatherv((Object) recvbuf, recvcount, displs, recvtype, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
            throws MPIException {
        refuseInter();
        return start(all -> new Request(
                all.igatherBlocks(Data.IN_PLACE, Buffers.blocks(recvbuf, recvcount, displs, recvtype), root(root))));
    }

    /** MPI_Gatherv, at all but the root. */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        run(all -> all.gatherBlocks(items(sendbuf, sendcount, sendtype), null, root(root)));
    }

    /** MPI_Igatherv, at all but the root. */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        return iGatherv((Object) sendbuf, sendcount, sendtype, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iGatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        return start(all -> new Request(all.igatherBlocks(items(sendbuf, sendcount, sendtype), null, root(root))));
    }

    /** MPI_Scatter. */
    public final void scatter(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        run(all -> all.scatter(
                rootItems(Buffers.apart(sendbuf, isRoot(root) ? recvbuf : null), sendcount, sendtype, root),
                contribution(recvbuf, recvcount, recvtype, root),
                root(root)));
    }

    /** MPI_Iscatter. */
    public final Request iScatter(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return iScatter((Object) sendbuf, sendcount, sendtype, (Object) recvbuf, recvcount, recvtype, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iScatter(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return start(all -> new Request(all.iscatter(
                rootItems(sendbuf, sendcount, sendtype, root),
                contribution(recvbuf, recvcount, recvtype, root),
                root(root))));
    }

    /** MPI_Scatter, in place at the root; the others receive into the buffer. */
    public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
        refuseInter();
        run(all -> all.scatter(
                rootItems(buf, count, type, root), isRoot(root) ? Data.IN_PLACE : items(buf, count, type), root(root)));
    }

    /** MPI_Iscatter, in place at the root; the others receive into the buffer. */
    public final Request iScatter(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iScatter((Object) buf, count, type, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iScatter(Object buf, int count, Datatype type, int root) throws MPIException {
        refuseInter();
        return start(all -> new Request(all.iscatter(
                rootItems(buf, count, type, root),
                isRoot(root) ? Data.IN_PLACE : items(buf, count, type),
                root(root))));
    }

    /** MPI_Scatterv. */
    public final void scatterv(
            Object sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        run(all -> all.scatterBlocks(
                rootBlocks(Buffers.apart(sendbuf, isRoot(root) ? recvbuf : null), sendcount, displs, sendtype, root),
                contribution(recvbuf, recvcount, recvtype, root),
                root(root)));
    }

    /** MPI_Iscatterv. */
    public final Request iScatterv(
            Buffer sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return iScatterv((Object) sendbuf, sendcount, displs, sendtype, (Object) recvbuf, recvcount, recvtype, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iScatterv(
            Object sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return start(all -> new Request(all.iscatterBlocks(
                rootBlocks(sendbuf, sendcount, displs, sendtype, root),
                contribution(recvbuf, recvcount, recvtype, root),
                root(root))));
    }

    /** MPI_Scatterv, in place, at the root. */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
            throws MPIException {
        refuseInter();
        run(all -> all.scatterBlocks(Buffers.blocks(sendbuf, sendcount, displs, sendtype), Data.IN_PLACE, root(root)));
    }

    /** MPI_Iscatterv, in place, at the root. */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
            throws MPIException {
        return iScatterv((Object) sendbuf, sendcount, displs, sendtype, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iScatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
            throws MPIException {
        refuseInter();
        return start(all -> new Request(
                all.iscatterBlocks(Buffers.blocks(sendbuf, sendcount, displs, sendtype), Data.IN_PLACE, root(root))));
    }

    /** MPI_Scatterv, at all but the root. */
    public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        run(all -> all.scatterBlocks(null, items(recvbuf, recvcount, recvtype), root(root)));
    }

    /** MPI_Iscatterv, at all but the root. */
    public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatterv((Object) recvbuf, recvcount, recvtype, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iScatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return start(all -> new Request(all.iscatterBlocks(null, items(recvbuf, recvcount, recvtype), root(root))));
    }

    /** MPI_Allgather. */
    public final void allGather(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        run(all -> all.allGather(
                items(Buffers.apart(sendbuf, recvbuf), sendcount, sendtype),
                items(recvbuf, recvcount, blocks(), recvtype)));
    }

    /** MPI_Iallgather. */
    public final Request iAllGather(
            Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        return iAllGather((Object) sendbuf, sendcount, sendtype, (Object) recvbuf, recvcount, recvtype);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iAllGather(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        return start(all -> new Request(
                all.iallGather(items(sendbuf, sendcount, sendtype), items(recvbuf, recvcount, blocks(), recvtype))));
    }

    /** MPI_Allgather, in place. */
    public final void allGather(Object buf, int count, Datatype type) throws MPIException {
        refuseInter();
        run(all -> all.allGather(Data.IN_PLACE, items(buf, count, blocks(), type)));
    }

    /** MPI_Iallgather, in place. */
    public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
        return iAllGather((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iAllGather(Object buf, int count, Datatype type) throws MPIException {
        refuseInter();
        return start(all -> new Request(all.iallGather(Data.IN_PLACE, items(buf, count, blocks(), type))));
    }

    /** MPI_Allgatherv. */
    public final void allGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        run(all -> all.allGatherBlocks(
                items(Buffers.apart(sendbuf, recvbuf), sendcount, sendtype),
                Buffers.blocks(recvbuf, recvcount, displs, recvtype)));
    }

    /** MPI_Iallgatherv. */
    public final Request iAllGatherv(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        return iAllGatherv((Object) sendbuf, sendcount, sendtype, (Object) recvbuf, recvcount, displs, recvtype);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iAllGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        return start(all -> new Request(all.iallGatherBlocks(
                items(sendbuf, sendcount, sendtype), Buffers.blocks(recvbuf, recvcount, displs, recvtype))));
    }

    /** MPI_Allgatherv, in place. */
    public final void allGatherv(Object buf, int[] count, int[] displs, Datatype type) throws MPIException {
        refuseInter();
        run(all -> all.allGatherBlocks(Data.IN_PLACE, Buffers.blocks(buf, count, displs, type)));
    }

    /** MPI_Iallgatherv, in place. */
    public final Request iAllGatherv(Buffer buf, int[] count, int[] displs, Datatype type) throws MPIException {
        return iAllGatherv((Object) buf, count, displs, type);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iAllGatherv(Object buf, int[] count, int[] displs, Datatype type) throws MPIException {
        refuseInter();
        return start(all -> new Request(all.iallGatherBlocks(Data.IN_PLACE, Buffers.blocks(buf, count, displs, type))));
    }

    /** MPI_Alltoall. */
    public final void allToAll(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        run(all -> all.allToAll(
                items(Buffers.apart(sendbuf, recvbuf), sendcount, blocks(), sendtype),
                items(recvbuf, recvcount, blocks(), recvtype)));
    }

    /** MPI_Ialltoall. */
    public final Request iAllToAll(
            Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        return iAllToAll((Object) sendbuf, sendcount, sendtype, (Object) recvbuf, recvcount, recvtype);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iAllToAll(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        return start(all -> new Request(all.iallToAll(
                items(sendbuf, sendcount, blocks(), sendtype), items(recvbuf, recvcount, blocks(), recvtype))));
    }

    /** MPI_Alltoallv. */
    public final void allToAllv(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        run(all -> all.allToAllBlocks(
                Buffers.blocks(Buffers.apart(sendbuf, recvbuf), sendcount, sdispls, sendtype),
                Buffers.blocks(recvbuf, recvcount, rdispls, recvtype)));
    }

    /** MPI_Ialltoallv. */
    public final Request iAllToAllv(
            Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        return iAllToAllv(
                (Object) sendbuf, sendcount, sdispls, sendtype, (Object) recvbuf, recvcount, rdispls, recvtype);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iAllToAllv(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        return start(all -> new Request(all.iallToAllBlocks(
                Buffers.blocks(sendbuf, sendcount, sdispls, sendtype),
                Buffers.blocks(recvbuf, recvcount, rdispls, recvtype))));
    }

    /** MPI_Alltoallw: displacements are in bytes. */
    public final void allToAllw(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype[] sendtypes,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype[] recvtypes)
            throws MPIException {
        run(all -> all.allToAllBlocks(
                Buffers.blocks(Buffers.apart(sendbuf, recvbuf), sendcount, sdispls, sendtypes),
                Buffers.blocks(recvbuf, recvcount, rdispls, recvtypes)));
    }

    /** MPI_Ialltoallw: displacements are in bytes. */
    public final Request iAllToAllw(
            Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype[] sendtypes,
            Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype[] recvtypes)
            throws MPIException {
        return iAllToAllw(
                (Object) sendbuf, sendcount, sdispls, sendtypes, (Object) recvbuf, recvcount, rdispls, recvtypes);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iAllToAllw(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype[] sendtypes,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype[] recvtypes)
            throws MPIException {
        return start(all -> new Request(all.iallToAllBlocks(
                Buffers.blocks(sendbuf, sendcount, sdispls, sendtypes),
                Buffers.blocks(recvbuf, recvcount, rdispls, recvtypes))));
    }

    private Object contribution(Object buffer, int count, Datatype type, int root) throws MPIException {
        return takesPart(root) ? items(buffer, count, type) : null;
    }

    /** A block for each rank, at the root; null elsewhere. */
    private Object rootItems(Object buffer, int count, Datatype type, int root) throws MPIException {
        return isRoot(root) ? items(buffer, count, blocks(), type) : null;
    }

    private Object rootBlocks(Object buffer, int[] counts, int[] displs, Datatype type, int root) throws MPIException {
        return isRoot(root) ? Buffers.blocks(buffer, counts, displs, type) : null;
    }

    // --- neighbourhood collectives -----------------------------------------------------------------------------------

    /** MPI_Neighbor_allgather. */
    public final void neighborAllGather(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        run(all -> topology()
                .neighbourAllGather(
                        items(Buffers.apart(sendbuf, recvbuf), sendcount, sendtype),
                        items(recvbuf, recvcount, topology().sources().length, recvtype)));
    }

    /** MPI_Ineighbor_allgather. */
    public final Request iNeighborAllGather(
            Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        return iNeighborAllGather((Object) sendbuf, sendcount, sendtype, (Object) recvbuf, recvcount, recvtype);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iNeighborAllGather(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        return start(all -> new Request(topology()
                .ineighbourAllGather(
                        items(sendbuf, sendcount, sendtype),
                        items(recvbuf, recvcount, topology().sources().length, recvtype))));
    }

    /** MPI_Neighbor_allgatherv. */
    public final void neighborAllGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        run(all -> topology()
                .neighbourAllGatherBlocks(
                        items(Buffers.apart(sendbuf, recvbuf), sendcount, sendtype),
                        Buffers.blocks(recvbuf, recvcount, displs, recvtype)));
    }

    /** MPI_Ineighbor_allgatherv. */
    public final Request iNeighborAllGatherv(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        return iNeighborAllGatherv(
                (Object) sendbuf, sendcount, sendtype, (Object) recvbuf, recvcount, displs, recvtype);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iNeighborAllGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        return start(all -> new Request(topology()
                .ineighbourAllGatherBlocks(
                        items(sendbuf, sendcount, sendtype), Buffers.blocks(recvbuf, recvcount, displs, recvtype))));
    }

    /** MPI_Neighbor_alltoall. */
    public final void neighborAllToAll(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        run(all -> topology()
                .neighbourAllToAll(
                        items(
                                Buffers.apart(sendbuf, recvbuf),
                                sendcount,
                                topology().destinations().length,
                                sendtype),
                        items(recvbuf, recvcount, topology().sources().length, recvtype)));
    }

    /** MPI_Ineighbor_alltoall. */
    public final Request iNeighborAllToAll(
            Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        return iNeighborAllToAll((Object) sendbuf, sendcount, sendtype, (Object) recvbuf, recvcount, recvtype);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iNeighborAllToAll(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        return start(all -> new Request(topology()
                .ineighbourAllToAll(
                        items(sendbuf, sendcount, topology().destinations().length, sendtype),
                        items(recvbuf, recvcount, topology().sources().length, recvtype))));
    }

    /** MPI_Neighbor_alltoallv. */
    public final void neighborAllToAllv(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        run(all -> topology()
                .neighbourAllToAllBlocks(
                        Buffers.blocks(Buffers.apart(sendbuf, recvbuf), sendcount, sdispls, sendtype),
                        Buffers.blocks(recvbuf, recvcount, rdispls, recvtype)));
    }

    /** MPI_Ineighbor_alltoallv. */
    public final Request iNeighborAllToAllv(
            Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        return iNeighborAllToAllv(
                (Object) sendbuf, sendcount, sdispls, sendtype, (Object) recvbuf, recvcount, rdispls, recvtype);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iNeighborAllToAllv(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        return start(all -> new Request(topology()
                .ineighbourAllToAllBlocks(
                        Buffers.blocks(sendbuf, sendcount, sdispls, sendtype),
                        Buffers.blocks(recvbuf, recvcount, rdispls, recvtype))));
    }

    // --- reductions --------------------------------------------------------------------------------------------------

    /** MPI_Reduce. */
    public final void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        run(all -> {
            Operands operands = rooted(sendbuf, recvbuf, count, type, root);
            all.reduce(operands.contribution, operands.result, reduction(op, type), root(root));
        });
    }

    /** MPI_Ireduce. */
    public final Request iReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        return iReduce((Object) sendbuf, (Object) recvbuf, count, type, op, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        return start(all -> {
            Operands operands = rooted(sendbuf, recvbuf, count, type, root);
            return new Request(all.ireduce(operands.contribution, operands.result, reduction(op, type), root(root)));
        });
    }

    /** MPI_Reduce, in place at the root; the others give what the buffer has. */
    public final void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        refuseInter();
        run(all -> {
            Operands operands = rooted(isRoot(root) ? Data.IN_PLACE : buf, buf, count, type, root);
            all.reduce(operands.contribution, operands.result, reduction(op, type), root(root));
        });
    }

    /** MPI_Ireduce, in place at the root; the others give what the buffer has. */
    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) throws MPIException {
        return iReduce((Object) buf, count, type, op, root);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iReduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        refuseInter();
        return start(all -> {
            Operands operands = rooted(isRoot(root) ? Data.IN_PLACE : buf, buf, count, type, root);
            return new Request(all.ireduce(operands.contribution, operands.result, reduction(op, type), root(root)));
        });
    }

    /** MPI_Allreduce. */
    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        run(all -> {
            Operands operands = new Operands(sendbuf, recvbuf, count, type);
            all.allReduce(operands.contribution, operands.result, reduction(op, type));
        });
    }

    /** MPI_Iallreduce. */
    public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        return iAllReduce((Object) sendbuf, (Object) recvbuf, count, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iAllReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        return start(all -> {
            Operands operands = new Operands(sendbuf, recvbuf, count, type);
            return new Request(all.iallReduce(operands.contribution, operands.result, reduction(op, type)));
        });
    }

    /** MPI_Allreduce, in place. */
    public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        refuseInter();
        run(all -> {
            Operands operands = new Operands(Data.IN_PLACE, buf, count, type);
            all.allReduce(operands.contribution, operands.result, reduction(op, type));
        });
    }

    /** MPI_Iallreduce, in place. */
    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iAllReduce((Object) buf, count, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iAllReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        refuseInter();
        return start(all -> {
            Operands operands = new Operands(Data.IN_PLACE, buf, count, type);
            return new Request(all.iallReduce(operands.contribution, operands.result, reduction(op, type)));
        });
    }

    /** MPI_Reduce_scatter. */
    public final void reduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op)
            throws MPIException {
        run(all -> {
            Operands operands = scattered(sendbuf, recvbuf, recvcounts, type);
            all.reduceScatter(operands.contribution, operands.result, recvcounts, reduction(op, type));
        });
    }

    /** MPI_Ireduce_scatter. */
    public final Request iReduceScatter(Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op)
            throws MPIException {
        return iReduceScatter((Object) sendbuf, (Object) recvbuf, recvcounts, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iReduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op)
            throws MPIException {
        return start(all -> {
            Operands operands = scattered(sendbuf, recvbuf, recvcounts, type);
            return new Request(
                    all.ireduceScatter(operands.contribution, operands.result, recvcounts, reduction(op, type)));
        });
    }

    /** MPI_Reduce_scatter, in place. */
    public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        refuseInter();
        run(all -> {
            Operands operands = scattered(Data.IN_PLACE, buf, counts, type);
            all.reduceScatter(operands.contribution, operands.result, counts, reduction(op, type));
        });
    }

    /** MPI_Ireduce_scatter, in place. */
    public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op) throws MPIException {
        return iReduceScatter((Object) buf, counts, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iReduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        refuseInter();
        return start(all -> {
            Operands operands = scattered(Data.IN_PLACE, buf, counts, type);
            return new Request(all.ireduceScatter(operands.contribution, operands.result, counts, reduction(op, type)));
        });
    }

    /** MPI_Reduce_scatter_block. */
    public final void reduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op)
            throws MPIException {
        run(all -> {
            Operands operands = scattered(sendbuf, recvbuf, recvcount, type);
            all.reduceScatterBlock(operands.contribution, operands.result, reduction(op, type));
        });
    }

    /** MPI_Ireduce_scatter_block. */
    public final Request iReduceScatterBlock(Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op)
            throws MPIException {
        return iReduceScatterBlock((Object) sendbuf, (Object) recvbuf, recvcount, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iReduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op)
            throws MPIException {
        return start(all -> {
            Operands operands = scattered(sendbuf, recvbuf, recvcount, type);
            return new Request(all.ireduceScatterBlock(operands.contribution, operands.result, reduction(op, type)));
        });
    }

    /** MPI_Reduce_scatter_block, in place. */
    public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        refuseInter();
        run(all -> {
            Operands operands = scattered(Data.IN_PLACE, buf, count, type);
            all.reduceScatterBlock(operands.contribution, operands.result, reduction(op, type));
        });
    }

    /** MPI_Ireduce_scatter_block, in place. */
    public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iReduceScatterBlock((Object) buf, count, type, op);
    }

    /** As that with buffers, of arrays, too. */
    public final Request iReduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        refuseInter();
        return start(all -> {
            Operands operands = scattered(Data.IN_PLACE, buf, count, type);
            return new Request(all.ireduceScatterBlock(operands.contribution, operands.result, reduction(op, type)));
        });
    }

    /** MPI_Reduce_local: {@code inOutBuf = inBuf op inOutBuf}, on this rank alone. */
    public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op) throws MPIException {
        MPI.check();
        Operands operands = new Operands(inBuf, inOutBuf, count, type);
        try {
            reduction(op, type).local(operands.contribution, operands.result);
        } catch (RuntimeException e) {
            throw Errors.of(e);
        }
    }

    private Operands rooted(Object given, Object into, int count, Datatype type, int root) throws MPIException {
        Buffers.checkCount(count);
        boolean gives = takesPart(root);
        return new Operands(gives ? given : null, gives ? count : 0, into, count, isRoot(root), type);
    }

    private Operands scattered(Object given, Object into, int[] counts, Datatype type) throws MPIException {
        if (counts == null || counts.length != space().size()) {
            throw Errors.of(
                    MPI.ERR_COUNT,
                    "there are " + (counts == null ? "no" : counts.length) + " counts: one for each of the "
                            + space().size() + " ranks");
        }
        long sum = 0;
        for (int count : counts) {
            Buffers.checkCount(count);
            sum += count;
        }
        return scattered(given, into, sum, counts[space().rank()], type);
    }

    private Operands scattered(Object given, Object into, int count, Datatype type) throws MPIException {
        Buffers.checkCount(count);
        return scattered(given, into, (long) count * space().size(), count, type);
    }

    private static Operands scattered(Object given, Object into, long all, long own, Datatype type)
            throws MPIException {
        return new Operands(given, all, into, given == Data.IN_PLACE ? all : own, true, type);
    }
}
