package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Many ranks, all of them threads of one JVM. */
final class ManyRanksTest {
    private static final int ROOT = 100;

    @Test
    void collectivesOf128AreRight() {
        assertRight(128);
    }

    /** Of 512 the routes alone fill the heap that tests have. */
    @Tag("all")
    @Test
    void collectivesOf256AreRight() {
        assertRight(256);
    }

    private static void assertRight(int ranks) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.THREADS)) {
            job.run(120, world -> {
                long rank = world.rank();
                world.barrier();
                long[] told = {rank == ROOT ? 4711 : 0};
                world.broadcast(told, ROOT);
                assertEquals(4711, told[0]);
                long[] sum = {rank};
                world.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
                assertEquals(ranks * (ranks - 1L) / 2, sum[0]);
                Communicator part = world.split((int) (rank % 7), (int) -rank);
                int size = (ranks - 1 - (int) (rank % 7)) / 7 + 1;
                assertEquals(size, part.size());
                assertEquals(size - 1 - rank / 7, part.rank());
                part.barrier();
                part.free();
                long[] out = new long[ranks];
                long[] in = new long[ranks];
                for (int i = 0; i < ranks; i++) {
                    out[i] = rank * ranks + i;
                }
                world.allToAll(out, in);
                for (int i = 0; i < ranks; i++) {
                    assertEquals((long) i * ranks + rank, in[i]);
                }
            });
        }
    }
}
