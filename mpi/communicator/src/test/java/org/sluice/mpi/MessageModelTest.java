package org.sluice.mpi;

import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Messages of every form, sent and received and waited for in every way, against what each has to bring. */
@Timeout(120)
final class MessageModelTest {
    private static final int ROUNDS = 60;

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void everyMessageArrivesWhereAndAsItShould(Place place) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random shape = new Random(seed);
        int ranks = 2 + shape.nextInt(4);
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(60, world -> {
                Communicator turned = world.split(0, -world.rank());
                Communicator part = world.split(world.rank() % 2, 0);
                MessageForms.attachBuffer(world.device(), new byte[4 << 20]);
                for (int round = 0; round < ROUNDS; round++) {
                    for (Communicator each : new Communicator[] {world, turned, part}) {
                        new MessageRound(each, seed, round).run();
                    }
                }
                MessageForms.detachBuffer(world.device());
                world.barrier();
                turned.free();
                part.free();
            });
        }
    }
}
