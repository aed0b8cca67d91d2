package mpi;

import org.sluice.device.ErrorCode;
import org.sluice.mpi.MessageSpace;

/** MPI_Status: what is known of one message. */
public final class Status {
    private int source = MPI.ANY_SOURCE;
    private int tag = MPI.ANY_TAG;
    private int error = MPI.SUCCESS;
    private int index;
    private long bytes;
    private boolean isCancelled;

    Status() {}

    Status(org.sluice.device.Status status) {
        this(status, 0);
    }

    Status(org.sluice.device.Status status, int index) {
        int rank = status.source();
        source = rank >= 0 ? rank : rank == MessageSpace.PROC_NULL ? MPI.PROC_NULL : MPI.ANY_SOURCE;
        tag = status.tag() >= 0 ? status.tag() : MPI.ANY_TAG;
        bytes = status.bytes();
        isCancelled = status.error() == ErrorCode.CANCELLED;
        error = isCancelled ? MPI.SUCCESS : Errors.errorClass(status.error());
        this.index = index;
    }

    /** Of what a file has had or given. */
    Status(long bytes) {
        this.bytes = bytes;
    }

    long bytes() {
        return bytes;
    }

    Status at(int newIndex) {
        index = newIndex;
        return this;
    }

    /** That of a request that nobody has to wait for. */
    static Status empty(int index) {
        Status status = new Status();
        status.index = index;
        return status;
    }

    static Status cancelled(int index) {
        Status status = empty(index);
        status.isCancelled = true;
        return status;
    }

    private static int asInt(long count) {
        return count < 0 || count > Integer.MAX_VALUE ? MPI.UNDEFINED : (int) count;
    }

    /** MPI_Get_count: {@link MPI#UNDEFINED} for no whole number of items. */
    public int getCount(Datatype datatype) throws MPIException {
        MPI.check();
        return asInt(datatype.layout().items(bytes));
    }

    /** MPI_Test_cancelled. */
    public boolean isCancelled() throws MPIException {
        MPI.check();
        return isCancelled;
    }

    /** MPI_Get_elements: those of basic types, also of an item of which a part came. */
    public int getElements(Datatype datatype) throws MPIException {
        MPI.check();
        return asInt(datatype.layout().elements(bytes));
    }

    /** As {@link #getElements}, of any number. */
    public Count getElementsX(Datatype datatype) throws MPIException {
        MPI.check();
        long count = datatype.layout().elements(bytes);
        return new Count(count < 0 ? MPI.UNDEFINED : count);
    }

    /** MPI_Status_set_elements. */
    public void setElements(Datatype datatype, int count) throws MPIException {
        setElementsX(datatype, new Count(count));
    }

    /** As {@link #setElements}, of any number. */
    public void setElementsX(Datatype datatype, Count count) throws MPIException {
        MPI.check();
        if (count.getCount() < 0) {
            throw Errors.of(MPI.ERR_COUNT, count + " elements: 0 or more");
        }
        bytes = datatype.layout().bytesOf(count.getCount());
    }

    /** MPI_Status_set_cancelled. */
    public void setCancelled(boolean flag) throws MPIException {
        MPI.check();
        isCancelled = flag;
    }

    /** The sender's rank, or {@link MPI#PROC_NULL}. */
    public int getSource() {
        return source;
    }

    public int getTag() {
        return tag;
    }

    /** An error's class, or {@link MPI#SUCCESS}. */
    public int getError() {
        return error;
    }

    /** Which request of an array it is of. */
    public int getIndex() {
        return index;
    }
}
