package mpibench;

import mpi.MPI;
import org.sluice.bench.plan.Step;
import org.sluice.bench.rank.Lists;

/** A list with an array of doubles, by Send and Recv of {@code MPI.OBJECT}. */
final class MpijavaObjects extends MpijavaExchange {
    private final Object[] outgoing = {null};
    private final Object[] incoming = {null};
    private int size;

    @Override
    public void prepare(Step step) {
        super.prepare(step);
        size = step.size();
        outgoing[0] = Lists.of(size);
    }

    @Override
    public void post(int rank, int slot) {
        world.Send(outgoing, 0, 1, MPI.OBJECT, rank, DATA_TAG);
    }

    @Override
    public void expect(int rank, int slot) {
        incoming[0] = null;
        world.Recv(incoming, 0, 1, MPI.OBJECT, rank, DATA_TAG);
        Lists.check(incoming[0], size);
    }
}
