package mpi;

import org.sluice.mpi.ObjectReceive;

/** A receive of a message whose length nobody knows before it comes: objects, or packed sections. */
final class ObjectRequest extends Request {
    /** Where the bytes go. */
    @FunctionalInterface
    interface Taker {
        Status take(byte[] message, org.sluice.device.Status found);
    }

    /** Null once it is over: the objects are the program's, and requests are looked through only now and then. */
    private ObjectReceive<byte[]> receive;

    private Taker taker;

    ObjectRequest(ObjectReceive<byte[]> receive, Datatype datatype, Taker taker) {
        super(receive.arrival(), datatype, 0);
        this.receive = receive;
        this.taker = taker;
    }

    @Override
    Status complete(org.sluice.device.Status found) {
        ObjectReceive<byte[]> over = receive;
        Taker into = taker;
        receive = null;
        taker = null;
        return into.take(over.waitFor(found), found);
    }
}
