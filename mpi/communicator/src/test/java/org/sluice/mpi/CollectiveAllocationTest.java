package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Blocking collectives allocate nothing once everything is warm. */
final class CollectiveAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 10_000;
    private static final int LONG_WARM_UP = 1_000;
    private static final int CALLS = 200;

    /** Of the fewest of several rounds: others may see a compilation or a park. */
    private static double bytesPerCall(Communicator world, int warmUp, Consumer<Communicator> call) {
        for (int i = 0; i < warmUp; i++) {
            call.accept(world);
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.accept(world);
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return (double) least / CALLS;
    }

    /** What one rank does, with its buffers for all rounds. */
    private interface Caller {
        Consumer<Communicator> of(Communicator world);
    }

    private static void assertAllocatesNothing(CommunicatorJob job, String what, Caller caller) {
        assertAllocatesNothing(job, what, WARM_UP, caller);
    }

    private static void assertAllocatesNothing(CommunicatorJob job, String what, int warmUp, Caller caller) {
        job.run(60, world -> {
            double bytes = bytesPerCall(world, warmUp, caller.of(world));
            assertTrue(bytes < 1, () -> what + " allocates " + bytes + " bytes a call");
        });
    }

    private static CommunicatorJob job(Place place) {
        // What time brings is not what calls cost: no parks and no looks at the peers.
        return new CommunicatorJob(
                2, place, Map.of("sluice.wait.yield.us", "1000000", "sluice.peer.check.ms", "60000"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void callsThatWaitAllocateNothing(Place place) {
        try (CommunicatorJob job = job(place)) {
            assertAllocatesNothing(job, "a barrier", world -> Communicator::barrier);
            for (int length : new int[] {1, 1_024}) {
                callsOf(job, place, length, WARM_UP);
            }
        }
    }

    /** One array by a single copy of the kernel's, or another thread's read as it is. */
    @ParameterizedTest
    @Tag("all")
    @Tag("once")
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void longCallsAllocateNothing(Place place) {
        try (CommunicatorJob job = job(place)) {
            callsOf(job, place, 8_192, LONG_WARM_UP);
            callsOf(job, place, 131_072, LONG_WARM_UP);
        }
    }

    private static void callsOf(CommunicatorJob job, Place place, int length, int warmUp) {
        String what = " of " + 8 * length + " bytes, " + place;
        assertAllocatesNothing(job, "a broadcast" + what, warmUp, world -> {
            double[] buffer = new double[length];
            return used -> used.broadcast(buffer, 1);
        });
        assertAllocatesNothing(job, "an allReduce" + what, warmUp, world -> {
            double[] own = new double[length];
            double[] result = new double[length];
            return used -> used.allReduce(own, result, Reduction.SUM);
        });
        assertAllocatesNothing(job, "a reduce" + what, warmUp, world -> {
            double[] own = new double[length];
            double[] result = new double[length];
            return used -> used.reduce(own, result, Reduction.MAX, 0);
        });
        assertAllocatesNothing(job, "an allGather" + what, warmUp, world -> {
            double[] own = new double[length];
            double[] result = new double[2 * length];
            return used -> used.allGather(own, result);
        });
        assertAllocatesNothing(job, "an allToAll" + what, warmUp, world -> {
            double[] own = new double[2 * length];
            double[] result = new double[2 * length];
            return used -> used.allToAll(own, result);
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void callsAmongNeighboursAllocateNothing(Place place) {
        try (CommunicatorJob job = job(place)) {
            assertAllocatesNothing(job, "a neighbourAllToAll, " + place, world -> {
                CartesianCommunicator grid =
                        world.createCartesian(new int[] {2, 1}, new boolean[] {false, true}, false);
                double[] own = new double[64];
                double[] result = new double[64];
                return used -> grid.neighbourAllToAll(own, result);
            });
            assertAllocatesNothing(job, "a neighbourAllGather of a column, " + place, world -> {
                CartesianCommunicator ring = world.createCartesian(new int[] {2}, new boolean[] {true}, false);
                Data column = Data.of(new double[64], 0, 1, Layout.DOUBLE.vector(8, 1, 8));
                double[] result = new double[16];
                return used -> ring.neighbourAllGather(column, result);
            });
        }
    }

    /** One Data that is used again and again, and what is packed for it. */
    @Test
    void partsAndItemsThatLieApartAllocateNothing() {
        try (CommunicatorJob job = job(Place.THREADS)) {
            assertAllocatesNothing(job, "a broadcast of a part", world -> {
                Data part = Data.of(new double[64], 8, 32);
                return used -> used.broadcast(part, 0);
            });
            assertAllocatesNothing(job, "a broadcast of a column", world -> {
                Data column = Data.of(new double[64], 0, 1, Layout.DOUBLE.vector(8, 1, 8));
                return used -> used.broadcast(column, 0);
            });
            assertAllocatesNothing(job, "an allReduce in place", world -> {
                Data column = Data.of(new double[64], 0, 1, Layout.DOUBLE.vector(8, 1, 8));
                return used -> used.allReduce(Data.IN_PLACE, column, Reduction.SUM);
            });
        }
    }
}
