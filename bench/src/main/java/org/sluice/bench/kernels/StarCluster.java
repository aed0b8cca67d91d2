package org.sluice.bench.kernels;

/** Bodies at rest, as dense as in Plummer's model of a star cluster: all ranks make the same. */
final class StarCluster {
    /** The outermost part of the mass, which would be anywhere. */
    private static final double MOST = 0.99;

    private StarCluster() {}

    /** Places and masses, as {@link Octree} takes them; all together weigh 1. */
    static double[] make(int count) {
        NasRandom random = new NasRandom(NasRandom.SEED);
        double[] bodies = new double[count * Octree.NUMBERS];
        for (int i = 0; i < bodies.length; i += Octree.NUMBERS) {
            double inside = MOST * random.next();
            double radius = 1 / Math.sqrt(Math.pow(inside, -2.0 / 3) - 1);
            double z = 2 * random.next() - 1;
            double angle = 2 * Math.PI * random.next();
            double ring = Math.sqrt(1 - z * z);
            bodies[i] = radius * ring * Math.cos(angle);
            bodies[i + 1] = radius * ring * Math.sin(angle);
            bodies[i + 2] = radius * z;
            bodies[i + 3] = 1.0 / count;
        }
        return bodies;
    }
}
