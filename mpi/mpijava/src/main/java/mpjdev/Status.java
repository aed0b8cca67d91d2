package mpjdev;

import java.util.UUID;
import mpjbuf.Type;

/** The public fields of {@code mpi.Status}. */
public class Status {
    /** The sender's rank. */
    public int source;

    public int tag;
    /** Of the request in the array that several calls take. */
    public int index;
    /** Items of the datatype that was received. */
    public int count;

    public int countInBytes;
    /** Elements of the datatype's base type. */
    public int numEls;
    /** Of the elements; null where the call knew none, as after a probe. */
    public Type type;
    /** Null: {@code source} says who sent it. */
    public UUID srcID;

    public Status() {
        source = -1;
    }

    public Status(UUID srcID, int tag, int index) {
        this(srcID, tag, index, null, 0);
    }

    public Status(UUID srcID, int tag, int index, Type type, int numEls) {
        this(-1, tag, index, type, numEls);
        this.srcID = srcID;
    }

    public Status(int source, int tag, int index, Type type, int numEls) {
        this.source = source;
        this.tag = tag;
        this.index = index;
        this.type = type;
        this.numEls = numEls;
    }

    public Status(int source, int tag, int index) {
        this(source, tag, index, null, 0);
    }
}
