package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.hybrid.device.CommunicatorJob;

/** Communicators of what ranks have in common by themselves. */
final class PlacesTest {
    private static final int RANKS = 5;

    @ParameterizedTest
    @EnumSource(
            value = CommunicatorJob.Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void ranksOfOnePlaceComeTogether(CommunicatorJob.Place where) {
        try (CommunicatorJob job = new CommunicatorJob(RANKS, where)) {
            job.run(30, world -> {
                // In SHM, too, they are threads of one JVM, though their messages don't go that way.
                boolean isMixed = where == CommunicatorJob.Place.MIXED;
                int jvm = isMixed ? world.rank() / 2 : 0;
                int[] mates = IntStream.range(0, RANKS)
                        .filter(each -> !isMixed || each / 2 == jvm)
                        .toArray();
                Communicator threads = world.splitByPlace(Place.JVM, 0);
                assertArrayEquals(mates, threads.group().members());
                Communicator node = world.splitByPlace(Place.NODE, -world.rank());
                assertArrayEquals(
                        IntStream.range(0, RANKS).map(i -> RANKS - 1 - i).toArray(),
                        node.group().members());
                long[] sum = {1};
                threads.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
                assertEquals(mates.length, sum[0]);
                threads.free();
                node.free();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CommunicatorJob.Place.class,
            names = {"MIXED"})
    void someAreInNoneAndTurnedOnesAreRight(CommunicatorJob.Place where) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        try (CommunicatorJob job = new CommunicatorJob(6, where)) {
            job.run(30, world -> {
                Random shared = new Random(seed);
                for (int round = 0; round < 30; round++) {
                    int[] keys = shared.ints(6, -3, 3).toArray();
                    boolean[] isIn = new boolean[6];
                    for (int i = 0; i < 6; i++) {
                        isIn[i] = shared.nextInt(3) > 0;
                    }
                    Communicator turned = world.split(0, keys[world.rank()]);
                    Communicator place = turned.splitByPlace(isIn[world.rank()] ? Place.JVM : null, keys[world.rank()]);
                    int own = world.rank();
                    int mate = own ^ 1;
                    String what = "seed " + seed + ", round " + round + ", rank " + own;
                    if (!isIn[own]) {
                        assertNull(place, what);
                    } else {
                        boolean isBehind = keys[mate] < keys[own] || keys[mate] == keys[own] && mate < own;
                        int[] expected = !isIn[mate]
                                ? new int[] {own}
                                : isBehind ? new int[] {mate, own} : new int[] {own, mate};
                        assertArrayEquals(expected, place.group().members(), what);
                        place.free();
                    }
                    turned.free();
                }
                IllegalArgumentException differ = assertThrows(
                        IllegalArgumentException.class,
                        () -> world.splitByPlace(world.rank() == 4 ? Place.JVM : Place.NODE, 0));
                assertTrue(differ.getMessage().contains("rank 4"), differ.getMessage());
                world.barrier();
            });
        }
    }
}
