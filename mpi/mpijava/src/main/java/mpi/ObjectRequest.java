package mpi;

import org.sluice.mpi.ObjectReceive;

/** A receive of a message whose length nobody knows before it comes: objects, or packed sections. */
final class ObjectRequest extends Request {
    /** Where the bytes go. */
    @FunctionalInterface
    interface Taker {
        Status take(byte[] message, org.sluice.device.Status found);
    }

    private final ObjectReceive<byte[]> receive;
    private final Taker taker;

    ObjectRequest(ObjectReceive<byte[]> receive, Datatype datatype, Taker taker) {
        super(receive.arrival(), datatype, 0);
        this.receive = receive;
        this.taker = taker;
    }

    @Override
    Status complete(org.sluice.device.Status found) {
        byte[] message = receive.waitFor(found);
        return taker.take(message, found);
    }
}
