package org.sluice.bench.kernels;

/** Bodies anywhere in space, with speeds that add up to none: all ranks make the same. */
record FreeBodies(double[] places, double[] speeds) {
    /** Of a body at first, along each axis, at most about. */
    private static final double FASTEST = 2;

    static FreeBodies make(PatchGrid grid, int count) {
        NasRandom random = new NasRandom(NasRandom.SEED);
        double[] places = new double[count * Patch.AXES];
        double[] speeds = new double[count * Patch.AXES];
        double[] sums = new double[Patch.AXES];
        for (int i = 0; i < places.length; i++) {
            int axis = i % Patch.AXES;
            places[i] = random.next() * grid.length(axis);
            speeds[i] = FASTEST * (2 * random.next() - 1);
            sums[axis] += speeds[i];
        }
        for (int i = 0; i < speeds.length; i++) {
            speeds[i] -= sums[i % Patch.AXES] / count;
        }
        return new FreeBodies(places, speeds);
    }

    int count() {
        return places.length / Patch.AXES;
    }
}
