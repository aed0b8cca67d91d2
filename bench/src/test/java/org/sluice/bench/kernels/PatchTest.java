package org.sluice.bench.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patches know their neighbours, and bodies go the same ways in whatever order patches move. */
@Tag("once")
final class PatchTest {
    private static final int BODIES = 400;
    private static final int ROOM = 60;
    private static final int STEPS = 12;

    private final PatchGrid grid = new PatchGrid(3, 4, 1);
    private int ahead;
    private int travelled;

    @Test
    void neighboursAreDifferentAndSeeEachOther() {
        for (int patch = 0; patch < grid.count(); patch++) {
            TreeSet<Integer> neighbours = new TreeSet<>();
            for (int direction = 0; direction < PatchGrid.DIRECTIONS; direction++) {
                int neighbour = grid.neighbour(patch, direction);
                assertTrue(neighbours.add(neighbour), "patch " + patch + " has neighbour " + neighbour + " twice");
                assertEquals(patch, grid.neighbour(neighbour, PatchGrid.opposite(direction)));
            }
            assertEquals(patch, grid.neighbour(patch, PatchGrid.HERE));
        }
        assertThrows(IllegalArgumentException.class, () -> new PatchGrid(2, 4, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 36, 64})
    void eachPatchHasOneRank(int ranks) {
        PatchGrid shared = new PatchGrid(3, 4, ranks);
        int patch = 0;
        for (int rank = 0; rank < ranks; rank++) {
            for (; patch < shared.first(rank + 1); patch++) {
                assertEquals(rank, shared.owner(patch), "owner of patch " + patch);
            }
        }
        assertEquals(shared.count(), patch);
    }

    @Test
    void bodiesGoTheSameWaysInAnyOrder() {
        double[] inTurn = places(new Random(0) {
            @Override
            public int nextInt(int bound) {
                return 0;
            }
        });
        assertTrue(travelled > 0, "no body left its patch, so that nothing was tried");
        for (int seed = 1; seed <= 4; seed++) {
            ahead = 0;
            assertArrayEquals(inTurn, places(new Random(seed)), "seed " + seed);
            assertTrue(ahead > 1, "no patch went on before all others, seed " + seed);
        }
    }

    @Test
    void aFullPatchSaysSo() {
        Patch patch = new Patch(1);
        double[] numbers = new double[Patch.AXES];
        patch.add(0, numbers, numbers, 0);
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> patch.add(1, numbers, numbers, 0));
        assertTrue(refused.getMessage().contains("room for 1 bodies"), refused::getMessage);
    }

    /** Of all bodies after some steps; who moves next is chosen among those that can. */
    private double[] places(Random chance) {
        OwnPatches own = new OwnPatches(grid, 0, ROOM);
        FreeBodies bodies = FreeBodies.make(grid, BODIES);
        double[] all = bodies.places();
        int[] began = new int[BODIES];
        for (int body = 0; body < BODIES; body++) {
            int at = body * Patch.AXES;
            int patch = grid.at(all[at], all[at + 1], all[at + 2]);
            began[body] = patch;
            double[] place = new double[Patch.AXES];
            for (int axis = 0; axis < Patch.AXES; axis++) {
                place[axis] = all[at + axis] - grid.place(patch, axis) * PatchGrid.LENGTH;
            }
            own.get(patch).add(body, place, bodies.speeds(), at);
        }
        List<Integer> ready = new ArrayList<>();
        for (int patch = 0; patch < own.count(); patch++) {
            show(own, patch, ready);
        }
        while (!ready.isEmpty()) {
            int patch = ready.remove(chance.nextInt(ready.size()));
            own.move(patch);
            if (own.get(patch).step() < STEPS) {
                show(own, patch, ready);
            }
            lookHowFar(own);
        }
        return collected(own, began);
    }

    private static void show(OwnPatches own, int patch, List<Integer> ready) {
        int step = own.get(patch).step();
        double[] message = own.get(patch).show();
        for (int direction = 0; direction < PatchGrid.DIRECTIONS; direction++) {
            int to = own.neighbour(patch, direction);
            if (direction != PatchGrid.HERE && own.get(to).hear(PatchGrid.opposite(direction), step, message)) {
                ready.add(to);
            }
        }
        if (own.get(patch).canMove()) {
            ready.add(patch);
        }
    }

    private void lookHowFar(OwnPatches own) {
        int least = STEPS;
        int most = 0;
        for (int patch = 0; patch < own.count(); patch++) {
            least = Math.min(least, own.get(patch).step());
            most = Math.max(most, own.get(patch).step());
        }
        ahead = Math.max(ahead, most - least);
    }

    private double[] collected(OwnPatches own, int[] began) {
        double[] places = new double[BODIES * Patch.AXES];
        int count = 0;
        for (int patch = 0; patch < own.count(); patch++) {
            Patch bodies = own.get(patch);
            for (int body = 0; body < bodies.count(); body++, count++) {
                int number = bodies.number(body);
                travelled += began[number] == patch ? 0 : 1;
                for (int axis = 0; axis < Patch.AXES; axis++) {
                    places[number * Patch.AXES + axis] =
                            bodies.place(body, axis) + grid.place(patch, axis) * PatchGrid.LENGTH;
                }
            }
        }
        assertEquals(BODIES, count, "bodies at the end");
        return places;
    }
}
