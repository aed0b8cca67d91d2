package mpibench;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import org.sluice.bench.plan.Step;
import org.sluice.bench.rank.Exchange;

/** Arrays of bytes by Send and Recv. */
class MpijavaExchange implements Exchange {
    static final int DATA_TAG = 7;
    private static final int ANSWER_TAG = 8;
    private static final byte[] NOTHING = {};

    final Intracomm world = MPI.COMM_WORLD;
    private byte[] outgoing = NOTHING;
    private byte[] incoming = NOTHING;
    private int size;

    @Override
    public void prepare(Step step) {
        size = step.size();
        int needed = Math.multiplyExact(size, step.slots());
        if (needed != outgoing.length) {
            outgoing = new byte[needed];
            incoming = new byte[needed];
        }
    }

    @Override
    public ByteBuffer outgoing() {
        return ByteBuffer.wrap(outgoing);
    }

    @Override
    public ByteBuffer incoming() {
        return ByteBuffer.wrap(incoming);
    }

    @Override
    public void post(int rank, int slot) {
        world.Send(outgoing, slot * size, size, MPI.BYTE, rank, DATA_TAG);
    }

    @Override
    public void expect(int rank, int slot) {
        world.Recv(incoming, slot * size, size, MPI.BYTE, rank, DATA_TAG);
    }

    @Override
    public void finish() {
        // All is done when post and expect return.
    }

    @Override
    public void acknowledge(int rank) {
        world.Send(NOTHING, 0, 0, MPI.BYTE, rank, ANSWER_TAG);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        world.Recv(NOTHING, 0, 0, MPI.BYTE, rank, ANSWER_TAG);
    }

    @Override
    public void close() {
        MPI.Finalize();
    }
}
