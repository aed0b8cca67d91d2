package org.sluice.bench.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What a tree says of pulls is what its bodies say one by one. */
final class OctreeTest {
    private static final int COUNT = 500;
    private static final double SOFTENING = 0.02;
    private final double[] bodies = StarCluster.make(COUNT);
    private final Octree tree = new Octree();

    @Test
    void aTreeOfWhichAllIsOpenedIsExact() {
        tree.build(bodies, COUNT);
        for (int i = 0; i < COUNT; i += 17) {
            assertArrayEquals(direct(i, bodies, COUNT), pull(tree, i, 0), 1e-12);
        }
    }

    @Test
    void aTreeIsNearlyRight() {
        tree.build(bodies, COUNT);
        for (int i = 0; i < COUNT; i += 17) {
            double[] right = direct(i, bodies, COUNT);
            double size = Math.hypot(right[0], Math.hypot(right[1], right[2]));
            assertArrayEquals(right, pull(tree, i, 0.5), 0.05 * size + 0.005, "body " + i);
        }
    }

    @Test
    void whatIsExportedHasAllOfTheMassAndPullsTheSame() {
        tree.build(bodies, COUNT);
        BodyList list = new BodyList();
        // A box outside of the cluster: far cells go as one body.
        tree.export(new double[] {30, 30, 30}, new double[] {31, 31, 31}, 0.5, list);
        assertTrue(list.count() < COUNT / 10, "bodies exported: " + list.count());
        assertEquals(1, mass(list), 1e-12);
        // One with all of it inside: nothing is far.
        list.clear();
        tree.export(new double[] {-20, -20, -20}, new double[] {20, 20, 20}, 0.5, list);
        assertEquals(COUNT, list.count());
        Octree other = new Octree();
        other.build(list.numbers(), list.count());
        assertArrayEquals(direct(3, bodies, COUNT), pull(other, 3, 0), 1e-12);
    }

    @Test
    void bodiesAtOnePlaceAndNoBodiesAreTreesToo() {
        double[] same = new double[50 * Octree.NUMBERS];
        for (int i = 3; i < same.length; i += Octree.NUMBERS) {
            same[i] = 2;
        }
        tree.build(same, 50);
        assertArrayEquals(direct(3, same, 50), pull(tree, 3, 0.5), 1e-9);
        tree.build(same, 0);
        assertArrayEquals(new double[3], pull(tree, 3, 0.5));
    }

    private static double mass(BodyList list) {
        double mass = 0;
        for (int i = 0; i < list.count(); i++) {
            mass += list.numbers()[i * Octree.NUMBERS + 3];
        }
        return mass;
    }

    private double[] pull(Octree from, int body, double opening) {
        double[] result = new double[3];
        from.pull(bodies, body * Octree.NUMBERS, opening, SOFTENING, result);
        return result;
    }

    private double[] direct(int body, double[] from, int count) {
        double[] sum = new double[3];
        for (int i = 0; i < count; i++) {
            double[] way = new double[3];
            double square = SOFTENING * SOFTENING;
            for (int axis = 0; axis < 3; axis++) {
                way[axis] = from[i * Octree.NUMBERS + axis] - bodies[body * Octree.NUMBERS + axis];
                square += way[axis] * way[axis];
            }
            for (int axis = 0; axis < 3; axis++) {
                sum[axis] += from[i * Octree.NUMBERS + 3] * way[axis] / Math.pow(square, 1.5);
            }
        }
        return sum;
    }
}
