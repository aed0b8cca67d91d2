package mpi;

import org.sluice.mpi.MessageSpace;

/**
 * What is known of a message that came, or that a probe has found. The fields are MPJ Express's: {@code source},
 * {@code tag}, {@code index} of the request in the array of {@code Waitany} and the like, and {@code count} items.
 */
public class Status extends mpjdev.Status implements Freeable {
    private long bytes;
    private boolean isCancelled;

    public Status() {}

    /** A copy of the fields. */
    public Status(mpjdev.Status other) {
        source = other.source;
        tag = other.tag;
        index = other.index;
        count = other.count;
        numEls = other.numEls;
        type = other.type;
        countInBytes = other.countInBytes;
        bytes = other instanceof Status ? ((Status) other).bytes : other.countInBytes;
    }

    /** Of no message. */
    static Status empty() {
        Status status = new Status();
        status.source = MPI.ANY_SOURCE;
        status.tag = MPI.ANY_TAG;
        return status;
    }

    /** Of nothing that could be waited for. */
    static Status ofNone() {
        Status status = empty();
        status.index = MPI.UNDEFINED;
        return status;
    }

    static Status cancelled() {
        Status status = empty();
        status.isCancelled = true;
        return status;
    }

    /** Of a probe, which doesn't know what was sent. */
    static Status probed(org.sluice.device.Status found) {
        Status status = new Status();
        status.take(found);
        status.count = MPI.UNDEFINED;
        status.numEls = MPI.UNDEFINED;
        return status;
    }

    /** @param count that was asked for, which is what an item without elements is counted by */
    static Status of(org.sluice.device.Status found, Datatype datatype, int count) {
        Status status = new Status();
        status.take(found);
        status.type = datatype.bufferType;
        if (datatype.byteSize == 0) {
            status.count = count;
            status.numEls = MPI.UNDEFINED;
        } else if (status.bytes == (long) count * datatype.byteSize) {
            // The usual case, without a division: that is slow beside a small message.
            status.count = count;
            status.numEls = (int) Math.min((long) count * datatype.size, Integer.MAX_VALUE);
        } else {
            status.count = whole(status.bytes, datatype.byteSize);
            status.numEls = whole(status.bytes, datatype.byteSize / datatype.size);
        }
        return status;
    }

    /** @param objects how many came */
    static Status ofObjects(org.sluice.device.Status found, Datatype datatype, int objects) {
        Status status = new Status();
        status.take(found);
        status.type = datatype.bufferType;
        status.numEls = objects;
        status.count = datatype.size == 0 ? 0 : whole(objects, datatype.size);
        return status;
    }

    private void take(org.sluice.device.Status found) {
        source = found.source() == MessageSpace.PROC_NULL ? Comm.PROC_NULL : found.source();
        tag = found.tag() == org.sluice.device.Device.ANY_TAG ? Comm.ANY_TAG : found.tag();
        bytes = found.bytes();
        countInBytes = (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    private static int whole(long bytes, int of) {
        return bytes % of == 0 ? (int) Math.min(bytes / of, Integer.MAX_VALUE) : MPI.UNDEFINED;
    }

    /**
     * Items of this type in the message: {@code MPI.UNDEFINED} if the last one isn't whole, and for objects that a
     * probe has found; 0 if another base type was received.
     */
    public int Get_count(Datatype datatype) throws MPIException {
        Datatype.checked(datatype);
        if (datatype.isPacked()) {
            return countInBytes;
        }
        if (type != null && type != datatype.bufferType) {
            return 0;
        }
        if (datatype.isObject()) {
            return type == null ? MPI.UNDEFINED : datatype.size == 0 ? 0 : whole(numEls, datatype.size);
        }
        return datatype.byteSize == 0 ? count : whole(bytes, datatype.byteSize);
    }

    /** Elements of this type's base type in the message; otherwise as {@link #Get_count}. */
    public int Get_elements(Datatype datatype) throws MPIException {
        Datatype.checked(datatype);
        if (type != null && type != datatype.bufferType) {
            return 0;
        }
        return type != null || datatype.byteSize == 0 ? numEls : whole(bytes, datatype.byteSize / datatype.size);
    }

    public boolean Test_cancelled() throws MPIException {
        return isCancelled;
    }

    /** Nothing is kept that would have to be freed. */
    @Override
    public void free() {}
}
