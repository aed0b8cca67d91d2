package mpi;

import org.sluice.device.Device;
import org.sluice.device.Message;
import org.sluice.mpi.AgreedSpace;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.MessageSpace;

/**
 * Ranks with a message space of their own: messages between them.
 *
 * <p><b>Buffers.</b> A buffer is an array of the datatype's base type, or of objects for {@code MPI.OBJECT}; an offset
 * is in elements, a count in items. What a call that doesn't wait was given belongs to it until its request is over;
 * objects and packed sections are copied at once.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: {@link MPIException}; wrong arguments before anything is sent.
 */
public class Comm {
    static final int ANY_TAG = -2;
    static final int PROC_NULL = -3;
    /** What {@link Cartcomm#Shift} has beyond an edge, as MPJ Express does. */
    static final int BEYOND_EDGE = -1;

    /** The ranks that messages go to. */
    public Group group;
    /** What is below it. */
    public mpjdev.Comm mpjdevComm;

    /** Of an intercommunicator this rank's own group. */
    Group localgroup;
    /** Null where this rank has none, and once it was freed. */
    private AgreedSpace space;
    /** Why there are no ranks; null where there are. */
    private String missing;

    private Integer tagUb = MessageSpace.HIGHEST_TAG;

    /** One that isn't there. */
    Comm(String missing) {
        this.missing = missing;
    }

    Comm(AgreedSpace space, org.sluice.mpi.Group members, org.sluice.mpi.Group own) {
        open(space, members, own);
    }

    /** Of a group that this rank isn't in. */
    Comm(org.sluice.mpi.Group members) {
        group = Group.of(members);
    }

    final void open(AgreedSpace newSpace, org.sluice.mpi.Group members, org.sluice.mpi.Group own) {
        space = newSpace;
        missing = null;
        group = Group.of(members);
        localgroup = own == null ? null : Group.of(own);
        mpjdevComm = new Below(newSpace, group, localgroup);
    }

    final void close(String why) {
        space = null;
        missing = why;
    }

    /** What is below a communicator. */
    private static final class Below extends mpjdev.Comm {
        private final AgreedSpace space;

        Below(AgreedSpace space, Group group, Group localgroup) {
            this.space = space;
            this.group = group.mpjdevGroup;
            this.localgroup = localgroup == null ? null : localgroup.mpjdevGroup;
        }

        @Override
        public void barrier() {
            space.barrier();
        }
    }

    final AgreedSpace space() {
        AgreedSpace known = space;
        if (known == null) {
            refuseMissing();
            throw new MPIException("this rank isn't in this communicator: Create leaves out ranks that aren't in the"
                    + " group, whose Rank() is -1");
        }
        return known;
    }

    private void refuseMissing() {
        if (missing != null) {
            throw new MPIException(missing);
        }
    }

    // --- ranks -------------------------------------------------------------------------------------------------------

    /** Ranks of this rank's own group. */
    public int Size() throws MPIException {
        return Group().Size();
    }

    /** This rank, in its own group; {@code MPI.UNDEFINED} if it isn't in it. */
    public int Rank() throws MPIException {
        return Group().Rank();
    }

    /** This rank's own group. */
    public Group Group() throws MPIException {
        refuseMissing();
        return localgroup == null ? group : localgroup;
    }

    /** {@code MPI.IDENT}, {@code MPI.CONGRUENT}, {@code MPI.SIMILAR} or {@code MPI.UNEQUAL}. */
    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        if (comm1 == null || comm2 == null) {
            throw new MPIException("a communicator that is compared is null");
        }
        if (comm1.space() == comm2.space()) {
            return MPI.IDENT;
        }
        if (comm1.Test_inter() != comm2.Test_inter()) {
            return MPI.UNEQUAL;
        }
        int remote = Group.Compare(comm1.group, comm2.group);
        int local = Group.Compare(comm1.Group(), comm2.Group());
        int both = remote == MPI.IDENT ? local : local == MPI.IDENT ? remote : remote == local ? remote : MPI.UNEQUAL;
        return both == MPI.IDENT ? MPI.CONGRUENT : both;
    }

    /** All ranks call it. */
    public void Free() throws MPIException {
        AgreedSpace freed = space();
        try {
            freed.free();
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
        close("the communicator " + freed.name() + " was freed");
    }

    public boolean Test_inter() throws MPIException {
        return localgroup != null;
    }

    /**
     * A communicator of a group of ranks with another, whose ranks call it, too.
     *
     * @param local_comm the own group
     * @param local_leader a rank of that
     * @param remote_leader the other group's leader, as a rank of this communicator
     */
    public Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
            throws MPIException {
        try {
            if (!(local_comm instanceof Intracomm) || !(space() instanceof Communicator)) {
                throw new MPIException("an Intercomm is made of an Intracomm and by one, not of "
                        + (local_comm == null ? "null" : local_comm.getClass().getName()));
            }
            return new Intercomm(((Intracomm) local_comm)
                    .communicator()
                    .createIntercommunicator(local_leader, (Communicator) space(), remote_leader, tag));
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** {@code MPI.GRAPH}, {@code MPI.CART} or {@code MPI.UNDEFINED}. */
    public int Topo_test() throws MPIException {
        return MPI.UNDEFINED;
    }

    /** Ends the whole job with the lowest 8 bits of this status, or with 1 where these are 0. Never returns. */
    public void Abort(int errorcode) throws MPIException {
        MPI.device().abort(errorcode, "Abort(" + errorcode + ")");
    }

    /** Itself. */
    @Override
    public Object clone() throws MPIException {
        return this;
    }

    // --- attributes --------------------------------------------------------------------------------------------------

    /** The highest tag, an Integer, for {@code MPI.TAG_UB}: MPJ Express's keys all have that number. */
    public Object Attr_get(int keyval) throws MPIException {
        refuseMissing();
        if (keyval != MPI.TAG_UB || tagUb == null) {
            throw new MPIException("no attribute has the key " + keyval + ": MPI.TAG_UB is one");
        }
        return tagUb;
    }

    public void Attr_delete(int keyval) throws MPIException {
        refuseMissing();
        tagUb = keyval == MPI.TAG_UB ? null : tagUb;
    }

    // --- arguments ---------------------------------------------------------------------------------------------------

    /** Whether -1 is nobody. */
    boolean hasEdges() {
        return false;
    }

    private int rank(int rank, boolean isSource) {
        if (rank >= 0 || isSource && rank == Device.ANY_SOURCE) {
            return rank;
        }
        if (rank == PROC_NULL || rank == BEYOND_EDGE && hasEdges()) {
            return MessageSpace.PROC_NULL;
        }
        throw new MPIException("rank " + rank + " is out of range: messages go to ranks 0 to " + (group.Size() - 1)
                + (isSource ? ", come from MPI.ANY_SOURCE," : "") + " or are MPI.PROC_NULL's" + hint(rank, isSource));
    }

    private static String hint(int rank, boolean isSource) {
        if (rank == BEYOND_EDGE) {
            return "; where it comes from Cartcomm.Shift, call this on that Cartcomm";
        }
        return !isSource && rank == Device.ANY_SOURCE ? "; MPI.ANY_SOURCE is for receives" : "";
    }

    private int dest(int rank) {
        return rank >= 0 ? rank : rank(rank, false);
    }

    private int source(int rank) {
        return rank >= 0 ? rank : rank(rank, true);
    }

    private static int sent(int tag) {
        if (tag < 0) {
            throw new MPIException("tag " + tag + ": tags are 0 to MPI.TAG_UB, which is " + MessageSpace.HIGHEST_TAG
                    + (tag == ANY_TAG ? "; MPI.ANY_TAG is for receives" : ""));
        }
        return tag;
    }

    private static int received(int tag) {
        return tag >= 0 ? tag : tag == ANY_TAG ? Device.ANY_TAG : sent(tag);
    }

    /** What isn't a part of an array: as Sluice takes it. */
    private static Object message(Object buf, int offset, int count, Datatype datatype) {
        if (datatype.isObject()) {
            return Objects.encode(datatype.pick(buf, offset, count));
        }
        return datatype.isPacked() ? Objects.packed(buf) : datatype.part(buf, offset, count);
    }

    private static boolean isOfKnownLength(Datatype datatype) {
        return !datatype.isObject() && !datatype.isPacked();
    }

    // --- sends -------------------------------------------------------------------------------------------------------

    /** Returns when the buffer may be written again. */
    public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        AgreedSpace known = space();
        try {
            if (Datatype.checked(datatype).isPlain(buf, count)) {
                known.send(buf, offset, (long) count * datatype.size, dest(dest), sent(tag));
            } else {
                known.send(message(buf, offset, count, datatype), dest(dest), sent(tag));
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** Returns when a receive has matched it, too. */
    public void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        AgreedSpace known = space();
        try {
            known.ssend(message(buf, offset, count, Datatype.checked(datatype)), dest(dest), sent(tag));
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** Copies the message to the attached buffer and returns. */
    public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        AgreedSpace known = space();
        try {
            Object message = message(buf, offset, count, Datatype.checked(datatype));
            if (isOfKnownLength(datatype)) {
                MPI.checkBuffered();
                known.bsend(message, dest(dest), sent(tag));
            } else {
                // A copy of its own, of which nobody knew how long it would be.
                MPI.buffered(known.isend(message, dest(dest), sent(tag)));
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** A send whose receive is posted, as the program says: it goes as any other. */
    public void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        Send(buf, offset, count, datatype, dest, tag);
    }

    public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        AgreedSpace known = space();
        try {
            Object message = message(buf, offset, count, Datatype.checked(datatype));
            return new Request(known.isend(message, dest(dest), sent(tag)), datatype, count);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** As {@link #Bsend}: the request is over when it returns. */
    public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        AgreedSpace known = space();
        try {
            Object message = message(buf, offset, count, Datatype.checked(datatype));
            if (!isOfKnownLength(datatype)) {
                return new Request(known.isend(message, dest(dest), sent(tag)), datatype, count);
            }
            MPI.checkBuffered();
            return new Request(known.ibsend(message, dest(dest), sent(tag)), datatype, count);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    public Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        AgreedSpace known = space();
        try {
            Object message = message(buf, offset, count, Datatype.checked(datatype));
            return new Request(known.issend(message, dest(dest), sent(tag)), datatype, count);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** As {@link #Rsend}. */
    public Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
        return Isend(buf, offset, count, datatype, dest, tag);
    }

    // --- receives ----------------------------------------------------------------------------------------------------

    public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag) throws MPIException {
        AgreedSpace known = space();
        org.sluice.device.Status found = MPI.scratch();
        try {
            if (Datatype.checked(datatype).isPlain(buf, count)) {
                long elements = (long) count * datatype.size;
                known.recv(buf, offset, elements, source(source), received(tag), found);
            } else if (isOfKnownLength(datatype)) {
                known.recv(datatype.items(buf, offset, count), source(source), received(tag), found);
            } else {
                Objects.check(buf, count, datatype);
                Message message = known.mprobe(source(source), received(tag));
                byte[] bytes = new byte[Math.toIntExact(message.status().bytes())];
                return taken(bytes, message.recv(bytes), buf, offset, count, datatype);
            }
            return Status.of(found, datatype, count);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** What came of a length that nobody knew, at its place. */
    private static Status taken(
            byte[] bytes, org.sluice.device.Status found, Object buf, int offset, int count, Datatype datatype) {
        if (found.source() == MessageSpace.PROC_NULL) {
            return Status.ofObjects(found, datatype, 0);
        }
        if (datatype.isPacked()) {
            Objects.unpack(bytes, buf);
            return Status.of(found, datatype, MPI.UNDEFINED);
        }
        return Status.ofObjects(found, datatype, datatype.put(Objects.decode(bytes, found), buf, offset, count));
    }

    public Request Irecv(Object buf, int offset, int count, Datatype datatype, int src, int tag) throws MPIException {
        AgreedSpace known = space();
        try {
            if (isOfKnownLength(Datatype.checked(datatype))) {
                Object items = datatype.part(buf, offset, count);
                return new Request(known.irecv(items, source(src), received(tag)), datatype, count);
            }
            Objects.check(buf, count, datatype);
            return new ObjectRequest(
                    Objects.receive(known, source(src), received(tag)),
                    datatype,
                    (bytes, found) -> taken(bytes, found, buf, offset, count, datatype));
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** @return null when there is none */
    public Status Iprobe(int source, int tag) throws MPIException {
        AgreedSpace known = space();
        try {
            org.sluice.device.Status found = known.iprobe(source(source), received(tag));
            return found == null ? null : Status.probed(found);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** Waits for a message, and leaves it to a receive. */
    public Status Probe(int source, int tag) throws MPIException {
        AgreedSpace known = space();
        try {
            return Status.probed(known.probe(source(source), received(tag)));
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** Sends one message and receives another; neither waits for the other. */
    public Status Sendrecv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag)
            throws MPIException {
        AgreedSpace known = space();
        try {
            if (isOfKnownLength(Datatype.checked(recvtype))) {
                recvtype.check(recvbuf, recvcount);
            } else {
                Objects.check(recvbuf, recvcount, recvtype);
            }
            int from = source(source);
            int fromTag = received(recvtag);
            Object message = message(sendbuf, sendoffset, sendcount, Datatype.checked(sendtype));
            if (isOfKnownLength(recvtype)) {
                Object into = recvtype.items(recvbuf, recvoffset, recvcount);
                return Status.of(
                        known.sendRecv(message, dest(dest), sent(sendtag), into, from, fromTag), recvtype, recvcount);
            }
            org.sluice.device.Request sent = known.isend(message, dest(dest), sent(sendtag));
            Status status;
            try {
                status = Recv(recvbuf, recvoffset, recvcount, recvtype, source, recvtag);
            } catch (RuntimeException | Error e) {
                known.giveUp(sent);
                throw e;
            }
            sent.waitFor(new org.sluice.device.Status());
            return status;
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** As {@link #Sendrecv}: what is received takes the place of what was sent. */
    public Status Sendrecv_replace(
            Object buf, int offset, int count, Datatype datatype, int dest, int sendtag, int source, int recvtag)
            throws MPIException {
        AgreedSpace known = space();
        try {
            if (isOfKnownLength(Datatype.checked(datatype))) {
                Object items = datatype.items(buf, offset, count);
                return Status.of(
                        known.sendRecvReplace(items, dest(dest), sent(sendtag), source(source), received(recvtag)),
                        datatype,
                        count);
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
        return Sendrecv(buf, offset, count, datatype, dest, sendtag, buf, offset, count, datatype, source, recvtag);
    }

    // --- packing -----------------------------------------------------------------------------------------------------

    /** An upper bound of what {@link #Pack} takes; of objects it is that of their section alone. */
    public int Pack_size(int incount, Datatype datatype) throws MPIException {
        return Objects.packedBytes(incount, Datatype.checked(datatype));
    }

    /**
     * Writes a section of items.
     *
     * @param position what the call before has returned, 0 for the first
     * @return the position behind it
     */
    public int Pack(Object inbuf, int offset, int incount, Datatype datatype, mpjbuf.Buffer outbuf, int position)
            throws MPIException {
        return Sections.write(inbuf, offset, incount, Datatype.checked(datatype), outbuf, position);
    }

    /**
     * Reads the next section.
     *
     * @param position isn't looked at: sections are read in the order in which they were written
     * @return the position behind it
     */
    public int Unpack(mpjbuf.Buffer inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        return Sections.read(inbuf, outbuf, offset, outcount, Datatype.checked(datatype));
    }

    // --- persistent --------------------------------------------------------------------------------------------------

    private Prequest persistent(Object buf, int count, Datatype datatype, Prequest.Beginning beginning) {
        space();
        if (Datatype.checked(datatype).isPacked()) {
            Objects.check(buf, count, datatype);
        } else {
            datatype.check(buf, count);
        }
        return new Prequest(beginning);
    }

    public Prequest Bsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistent(buf, count, datatype, () -> Ibsend(buf, offset, count, datatype, dest, tag));
    }

    public Prequest Send_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistent(buf, count, datatype, () -> Isend(buf, offset, count, datatype, dest, tag));
    }

    public Prequest Ssend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistent(buf, count, datatype, () -> Issend(buf, offset, count, datatype, dest, tag));
    }

    public Prequest Rsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        return persistent(buf, count, datatype, () -> Irsend(buf, offset, count, datatype, dest, tag));
    }

    public Prequest Recv_init(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        return persistent(buf, count, datatype, () -> Irecv(buf, offset, count, datatype, source, tag));
    }
}
