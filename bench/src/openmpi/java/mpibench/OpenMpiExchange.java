package mpibench;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.bench.rank.Exchange;

/** Arrays of bytes or direct buffers by send and recv. */
final class OpenMpiExchange implements Exchange {
    private static final int DATA_TAG = 7;
    private static final int ANSWER_TAG = 8;
    private static final byte[] NOTHING = {};

    private final Intracomm world = MPI.COMM_WORLD;
    private final BufferKind kind;
    private ByteBuffer outgoing = ByteBuffer.allocate(0);
    private ByteBuffer incoming = outgoing;
    /** By slot: these calls take no offset. */
    private Object[] outgoingPlaces = {};

    private Object[] incomingPlaces = {};
    private int size;

    OpenMpiExchange(BufferKind kind) {
        this.kind = kind;
    }

    @Override
    public void prepare(Step step) {
        size = step.size();
        int needed = Math.multiplyExact(size, step.slots());
        if (needed != outgoing.capacity() || step.slots() != outgoingPlaces.length) {
            outgoing = buffer(needed);
            incoming = buffer(needed);
            outgoingPlaces = places(outgoing, step.slots());
            incomingPlaces = places(incoming, step.slots());
        }
    }

    private ByteBuffer buffer(int bytes) {
        return kind == BufferKind.DIRECT ? MPI.newByteBuffer(bytes) : ByteBuffer.allocate(bytes);
    }

    private Object[] places(ByteBuffer buffer, int slots) {
        Object[] places = new Object[slots];
        for (int slot = 0; slot < slots; slot++) {
            places[slot] = MPI.slice(buffer, slot * size);
        }
        if (slots == 1) {
            places[0] = kind == BufferKind.ARRAY ? buffer.array() : buffer;
        }
        return places;
    }

    @Override
    public ByteBuffer outgoing() {
        return outgoing;
    }

    @Override
    public ByteBuffer incoming() {
        return incoming;
    }

    @Override
    public void post(int rank, int slot) {
        send(outgoingPlaces[slot], size, rank, DATA_TAG);
    }

    @Override
    public void expect(int rank, int slot) {
        receive(incomingPlaces[slot], size, rank, DATA_TAG);
    }

    private void send(Object buffer, int count, int rank, int tag) {
        try {
            world.send(buffer, count, MPI.BYTE, rank, tag);
        } catch (MPIException e) {
            throw failed(e);
        }
    }

    private void receive(Object buffer, int count, int rank, int tag) {
        try {
            world.recv(buffer, count, MPI.BYTE, rank, tag);
        } catch (MPIException e) {
            throw failed(e);
        }
    }

    private static IllegalStateException failed(MPIException e) {
        return new IllegalStateException(e.getMessage(), e);
    }

    @Override
    public void finish() {
        // All is done when post and expect return.
    }

    @Override
    public void acknowledge(int rank) {
        send(NOTHING, 0, rank, ANSWER_TAG);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        receive(NOTHING, 0, rank, ANSWER_TAG);
    }

    @Override
    public void close() {
        try {
            MPI.Finalize();
        } catch (MPIException e) {
            throw failed(e);
        }
    }
}
