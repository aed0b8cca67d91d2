package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.sluice.device.Status;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Body;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Several threads of each rank make communicators at once. */
final class ThreadsOfRanksTest {
    private static final int THREADS = 4;

    private static void run(int ranks, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.THREADS)) {
            job.run(90, body);
        }
    }

    @Test
    void theyMakeThemOfDifferentParents() {
        run(2, world -> {
            Communicator[] parents = new Communicator[THREADS];
            for (int i = 0; i < THREADS; i++) {
                parents[i] = world.duplicate();
            }
            AtOnce.run(THREADS, thread -> {
                for (int round = 0; round < 50; round++) {
                    Communicator made = make(parents[thread], round);
                    assertDoesNotMix(made, thread * 1_000 + round);
                    made.free();
                }
            });
            for (Communicator parent : parents) {
                parent.free();
            }
        });
    }

    private static Communicator make(Communicator parent, int round) {
        switch (round % 3) {
            case 0:
                return parent.duplicate();
            case 1:
                return parent.split(0, -parent.rank());
            default:
                return parent.createGroup(parent.group(), round);
        }
    }

    /** Tags and sources are the same in all of them, so that a message that strays is taken. */
    private static void assertDoesNotMix(Communicator made, int number) {
        int other = 1 - made.rank();
        int[] got = new int[1];
        Status status = made.sendRecv(new int[] {number}, other, 7, got, org.sluice.device.Device.ANY_SOURCE, 7);
        assertEquals(number, got[0]);
        assertEquals(other, status.source());
        long[] sum = {number + 1L};
        made.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
        assertEquals(2L * (number + 1), sum[0]);
    }

    @Test
    void tagsTellApartWhatIsMadeOfOneParent() {
        run(
                3,
                world -> AtOnce.run(THREADS, thread -> {
                    for (int round = 0; round < 50; round++) {
                        Communicator made = world.createGroup(world.group(), thread);
                        long[] sum = {thread};
                        made.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
                        assertEquals(3L * thread, sum[0]);
                        made.free();
                    }
                }));
    }

    /** One thread of rank 0 for each parent, and a single thread of rank 1 that takes them in the other order. */
    @Test
    void noneWaitsForOneThatIsYetToBegin() {
        run(2, world -> {
            Communicator lower = world.duplicate();
            Communicator higher = world.duplicate();
            for (int round = 0; round < 20; round++) {
                if (world.rank() == 0) {
                    AtOnce.run(
                            2,
                            thread -> (thread == 0 ? lower : higher).duplicate().free());
                } else {
                    Thread.sleep(20);
                    higher.duplicate().free();
                    Thread.sleep(5);
                    lower.duplicate().free();
                }
            }
            lower.free();
            higher.free();
        });
    }
}
