package org.sluice.bench.kernels;

/** Where all bodies are that those of a patch may feel: its own and its neighbours', from its corner. */
final class FeltBodies {
    private final double[] x;
    private final double[] y;
    private final double[] z;
    private final double[] push = new double[Patch.AXES];
    private final double[] place = new double[Patch.AXES];
    private int count;

    /** @param room for so many */
    FeltBodies(int room) {
        x = new double[room];
        y = new double[room];
        z = new double[room];
    }

    void clear() {
        count = 0;
    }

    /**
     * Those of a patch.
     *
     * @param places from that patch's corner, x, y and z of each
     * @param direction where that patch is
     */
    void add(double[] places, int from, int bodies, int direction) {
        double toX = PatchGrid.offset(direction, 0) * PatchGrid.LENGTH;
        double toY = PatchGrid.offset(direction, 1) * PatchGrid.LENGTH;
        double toZ = PatchGrid.offset(direction, 2) * PatchGrid.LENGTH;
        int at = from;
        for (int i = 0; i < bodies; i++, at += Patch.AXES) {
            x[count] = places[at] + toX;
            y[count] = places[at + 1] + toY;
            z[count] = places[at + 2] + toZ;
            count++;
        }
    }

    /** Where one of those is that were added last; another place after the next call. */
    double[] ofLast(int bodies, int body) {
        int at = count - bodies + body;
        place[0] = x[at];
        place[1] = y[at];
        place[2] = z[at];
        return place;
    }

    /** What a body at this place feels of all; of itself nothing, as no way is between. Other values with each call. */
    double[] push(double ownX, double ownY, double ownZ) {
        double pushX = 0;
        double pushY = 0;
        double pushZ = 0;
        for (int i = 0; i < count; i++) {
            double dx = ownX - x[i];
            double dy = ownY - y[i];
            double dz = ownZ - z[i];
            double square = dx * dx + dy * dy + dz * dz;
            if (square < PairForce.CUT_OFF * PairForce.CUT_OFF) {
                double factor = PairForce.factor(square);
                pushX += factor * dx;
                pushY += factor * dy;
                pushZ += factor * dz;
            }
        }
        push[0] = pushX;
        push[1] = pushY;
        push[2] = pushZ;
        return push;
    }
}
