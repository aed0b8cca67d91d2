package org.sluice.bench.kernels;

import org.sluice.mpi.CartesianCommunicator;
import org.sluice.mpi.CartesianCommunicator.Shift;

/** Brings the two outermost points of LU's blocks to their neighbours in x and y. */
final class FlowEdges {
    private static final int PARTS = FlowBlock.PARTS;
    private static final int WIDTH = 2;
    private static final int TAG_UP = 1;
    private static final int TAG_DOWN = 2;

    private final FlowBlock block;
    private final CartesianCommunicator grid;
    private final Shift alongY;
    private final Shift alongX;
    private final double[] outX;
    private final double[] inX;
    private final double[] outY;
    private final double[] inY;

    FlowEdges(FlowBlock block, CartesianCommunicator grid) {
        this.block = block;
        this.grid = grid;
        alongY = grid.shift(0, 1);
        alongX = grid.shift(1, 1);
        outX = new double[WIDTH * block.countY * block.side * PARTS];
        inX = new double[outX.length];
        outY = new double[WIDTH * block.countX * block.side * PARTS];
        inY = new double[outY.length];
    }

    /** All ranks call this together. */
    void exchange(double[] u) {
        exchangeX(u, block.countX - WIDTH, alongX.destination(), -WIDTH, alongX.source(), TAG_UP);
        exchangeX(u, 0, alongX.source(), block.countX, alongX.destination(), TAG_DOWN);
        exchangeY(u, block.countY - WIDTH, alongY.destination(), -WIDTH, alongY.source(), TAG_UP);
        exchangeY(u, 0, alongY.source(), block.countY, alongY.destination(), TAG_DOWN);
    }

    private void exchangeX(double[] u, int from, int dest, int to, int source, int tag) {
        int length = WIDTH * PARTS;
        if (dest >= 0) {
            for (int i = 0; i < block.side * block.countY; i++) {
                int at = block.point(from, i % block.countY, i / block.countY) * PARTS;
                System.arraycopy(u, at, outX, i * length, length);
            }
        }
        grid.sendRecv(outX, dest, tag, inX, source, tag);
        if (source >= 0) {
            for (int i = 0; i < block.side * block.countY; i++) {
                int at = block.point(to, i % block.countY, i / block.countY) * PARTS;
                System.arraycopy(inX, i * length, u, at, length);
            }
        }
    }

    private void exchangeY(double[] u, int from, int dest, int to, int source, int tag) {
        int length = block.countX * PARTS;
        if (dest >= 0) {
            for (int i = 0; i < block.side * WIDTH; i++) {
                System.arraycopy(u, block.point(0, from + i % WIDTH, i / WIDTH) * PARTS, outY, i * length, length);
            }
        }
        grid.sendRecv(outY, dest, tag, inY, source, tag);
        if (source >= 0) {
            for (int i = 0; i < block.side * WIDTH; i++) {
                System.arraycopy(inY, i * length, u, block.point(0, to + i % WIDTH, i / WIDTH) * PARTS, length);
            }
        }
    }
}
