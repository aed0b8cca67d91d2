package mpibench;

import mpi.MPI;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.rank.RankMain;
import org.sluice.bench.rank.RankSetup;

/**
 * A rank that is written for MPJ Express: it runs on Sluice's dialect, and as it is on MPJ Express itself. Not in a
 * package of Sluice, as ranks that are threads load it for themselves, with the library; what is of the benchmark they
 * have in common.
 */
public final class MpijavaRank {
    private MpijavaRank() {}

    public static void main(String[] args) throws Exception {
        RankSetup setup = RankSetup.parse(MPI.Init(args));
        int rank = MPI.COMM_WORLD.Rank();
        int ranks = MPI.COMM_WORLD.Size();
        if (setup.kind().equals("collective")) {
            RankMain.serve(rank, new MpijavaCollectives(rank, ranks));
        } else if (setup.kind().equals(Benchmark.OBJECTS.label())) {
            RankMain.serve(new MpijavaObjects(), rank, ranks);
        } else {
            RankMain.serve(new MpijavaExchange(), rank, ranks);
        }
    }
}
