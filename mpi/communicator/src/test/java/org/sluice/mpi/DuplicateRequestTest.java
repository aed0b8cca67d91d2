package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Duplicates that nobody waits for. */
final class DuplicateRequestTest {
    private static final int RANKS = 4;

    private static void run(CommunicatorJob.Body body) {
        run(Place.THREADS, body);
    }

    private static void run(Place place, CommunicatorJob.Body body) {
        try (CommunicatorJob job = new CommunicatorJob(RANKS, place)) {
            job.run(body);
        }
    }

    private static int sum(CollectiveSpace communicator) {
        int[] sum = new int[1];
        communicator.allReduce(new int[] {1}, sum, Reduction.SUM);
        return sum[0];
    }

    @Test
    void itIsOverWhenAllHaveCalledIt() {
        run(world -> {
            if (world.rank() > 0) {
                DuplicateRequest<Communicator> early = world.iduplicate();
                assertFalse(early.request().isDone());
                world.send(new int[1], 0, 1);
                assertEquals(RANKS, sum(early.communicator()));
                return;
            }
            for (int i = 1; i < RANKS; i++) {
                world.recv(new int[1], i, 1);
            }
            DuplicateRequest<Communicator> last = world.iduplicate();
            last.request().waitFor();
            Communicator made = last.communicator();
            assertSame(made, last.communicator());
            assertEquals(Communicator.Comparison.CONGRUENT, world.compare(made));
            assertEquals(RANKS, sum(made));
        });
    }

    /** Of several parents, begun in another order by each rank than others do, with what waits in between. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void manyAreOnTheirWayAtOnce(Place place) {
        run(place, world -> {
            Communicator pair = world.split(world.rank() / 2, 0);
            Communicator ends = world.split(world.rank() % 2, 0);
            Communicator[] parents = {world, pair, ends, Communicator.self(world.device())};
            for (int round = 0; round < 20; round++) {
                List<DuplicateRequest<Communicator>> all = new ArrayList<>();
                for (int i = 0; i < 3 * parents.length; i++) {
                    all.add(parents[(i + world.rank()) % parents.length].iduplicate());
                }
                Communicator other = world.duplicate();
                Request[] requests = all.stream().map(DuplicateRequest::request).toArray(Request[]::new);
                world.waitAll(requests);
                // In the order of the parents, which all ranks have alike.
                for (int i = 0; i < all.size(); i++) {
                    int at = Math.floorMod(i - world.rank(), parents.length) + i / parents.length * parents.length;
                    Communicator made = all.get(at).communicator();
                    assertEquals(parents[i % parents.length].size(), sum(made));
                    made.free();
                }
                other.free();
            }
        });
    }

    @Test
    void itHasWhatADuplicateHas() {
        run(world -> {
            AttributeKey<String> key = AttributeKey.of((from, value) -> value + " copied", (from, value) -> {});
            CartesianCommunicator grid = world.createCartesian(new int[] {2, 2}, new boolean[2], false);
            grid.setAttribute(key, "value");
            Communicator made = grid.iduplicate().communicator();
            assertArrayEquals(grid.coordinates(), ((CartesianCommunicator) made).coordinates());
            assertEquals("value copied", made.attribute(key));
            int colour = world.rank() / 2;
            Intercommunicator inter = world.split(colour, 0).createIntercommunicator(0, world, colour == 0 ? 2 : 0, 3);
            Intercommunicator copy = inter.iduplicate().communicator();
            assertEquals(2, copy.remoteSize());
            assertEquals(2, sum(copy));
        });
    }

    @Test
    void aCopyCallbackThatFailsFailsItAtAllRanks() {
        run(world -> {
            AtomicInteger deleted = new AtomicInteger();
            AttributeKey<String> kept =
                    AttributeKey.of((from, value) -> value, (from, value) -> deleted.getAndIncrement());
            AttributeKey<String> failing = AttributeKey.of(
                    (from, value) -> {
                        if (world.rank() == 2) {
                            throw new IllegalStateException("not copied");
                        }
                        return value;
                    },
                    (from, value) -> {});
            Communicator parent = world.duplicate();
            parent.setAttribute(kept, "kept");
            parent.setAttribute(failing, "failing");
            DuplicateRequest<Communicator> started = parent.iduplicate();
            SluiceException thrown = assertThrows(SluiceException.class, started::communicator);
            assertTrue(
                    thrown.getMessage().contains(world.rank() == 2 ? "not copied" : "another rank"),
                    thrown::getMessage);
            assertEquals(1, deleted.get());
            assertEquals(RANKS, sum(parent));
        });
    }

    @Test
    void ofAFreedOneItIsRefused() {
        run(world -> {
            Communicator parent = world.duplicate();
            parent.free();
            assertThrows(IllegalStateException.class, parent::iduplicate);
            assertEquals(RANKS, sum(world.iduplicate().communicator()));
        });
    }
}
