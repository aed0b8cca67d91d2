package mpibench;

import mpi.MPI;
import org.sluice.bench.rank.RankMain;
import org.sluice.bench.rank.RankSetup;

/** As {@link MpijavaRank}, written for Open MPI's Java bindings. */
public final class OpenMpiRank {
    private OpenMpiRank() {}

    public static void main(String[] args) throws Exception {
        RankSetup setup = RankSetup.parse(MPI.Init(args));
        int rank = MPI.COMM_WORLD.getRank();
        int ranks = MPI.COMM_WORLD.getSize();
        if (setup.kind().equals("collective")) {
            RankMain.serve(rank, new OpenMpiCollectives(setup.buffer(), rank, ranks));
        } else {
            RankMain.serve(new OpenMpiExchange(setup.buffer()), rank, ranks);
        }
    }
}
