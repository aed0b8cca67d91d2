package org.sluice.bench.kernels;

/** What LU's result is judged by: this rank's part of the official figures, and those figures. */
final class FlowNorms {
    private static final int PARTS = FlowBlock.PARTS;
    /** Norms of the residual, norms of the error, the integral of the pressure over a box. */
    static final int COUNT = 2 * PARTS + 1;
    /** By class. */
    static final double[][] OFFICIAL = {
        {
            1.6196343210976702e-2,
            2.1976745164821318e-3,
            1.5179927653399185e-3,
            1.5029584435994323e-3,
            3.4264073155896461e-2,
            6.4223319957960924e-4,
            8.4144342047347926e-5,
            5.8588269616485186e-5,
            5.8474222595157350e-5,
            1.3103347914111294e-3,
            7.8418928865937083
        },
        {
            12.36511638192,
            1.317228477799,
            2.550120713095,
            2.326187750252,
            28.26799444189,
            0.4867877144216,
            0.05064652880982,
            0.09281818101960,
            0.08570126542733,
            1.084277417792,
            11.61399311023
        },
        {
            779.02107606689367,
            63.402765259692870,
            194.99249727292479,
            178.45301160418537,
            1838.4760349464247,
            29.964085685471943,
            2.8194576365003349,
            7.3473412698774742,
            6.7139225687777051,
            70.715315688392578,
            26.030925604886277
        },
        {
            3553.2672969982736,
            262.14750795310692,
            883.33721850952190,
            778.12774739425265,
            7308.7969592545314,
            114.01176380212709,
            8.1098963655421574,
            28.480597317698308,
            25.905394567832939,
            260.54907504857413,
            47.887162703308227
        }
    };

    private final FlowBlock block;

    FlowNorms(FlowBlock block) {
        this.block = block;
    }

    /** Squares of residual and error, summed, and the integral. */
    double[] own(double[] u, double[] residual) {
        double[] sums = new double[COUNT];
        for (int z = 1; z < block.side - 1; z++) {
            for (int y = block.innerY(); y < block.innerEndY(); y++) {
                for (int x = block.innerX(); x < block.innerEndX(); x++) {
                    int at = block.point(x, y, z) * PARTS;
                    for (int part = 0; part < PARTS; part++) {
                        double error = block.exact(part, block.firstX + x, block.firstY + y, z) - u[at + part];
                        sums[part] += residual[at + part] * residual[at + part];
                        sums[PARTS + part] += error * error;
                    }
                    sums[2 * PARTS] += share(block.firstX + x, block.firstY + y, z) * pressure(u, at);
                }
            }
        }
        return sums;
    }

    /** From the sums of all ranks. */
    double[] ofAll(double[] sums) {
        double[] norms = sums.clone();
        for (int i = 0; i < 2 * PARTS; i++) {
            norms[i] = Math.sqrt(sums[i] / block.innerPoints());
        }
        return norms;
    }

    private static double pressure(double[] u, int at) {
        double squares = u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2] + u[at + 3] * u[at + 3];
        return FlowConstants.C2 * (u[at + 4] - 0.5 * squares / u[at]);
    }

    /** How much of the box's surface belongs to a point, by the trapezoidal rule on each of its six faces. */
    private double share(int x, int y, int z) {
        int end = block.side - 2;
        double alongX = along(x, 1, end);
        double alongY = along(y, 1, end - 1);
        double alongZ = along(z, 2, end);
        double faces = (z == 2 || z == end ? alongX * alongY : 0)
                + (y == 1 || y == end - 1 ? alongX * alongZ : 0)
                + (x == 1 || x == end ? alongY * alongZ : 0);
        double edge = 1.0 / (block.side - 1);
        return 0.25 * edge * edge * faces;
    }

    private static double along(int place, int first, int last) {
        if (place < first || place > last) {
            return 0;
        }
        return place == first || place == last ? 1 : 2;
    }
}
