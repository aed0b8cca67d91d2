package org.sluice.mpi;

import org.sluice.mpi.algorithm.Collective;
import org.sluice.mpi.algorithm.Neighbours;
import org.sluice.mpi.algorithm.Shape;

/** What the caller of a neighbourhood collective gave, checked. <i>Thread</i>: that of the {@link Call}. */
final class NeighbourCall {
    private NeighbourCall() {}

    static void allGather(Call call, Neighbours neighbours, Object given, Object into, boolean hasBlocks) {
        begin(call, neighbours, hasBlocks ? Collective.NEIGHBOUR_ALL_GATHER_BLOCKS : Collective.NEIGHBOUR_ALL_GATHER);
        takeResult(call, into, hasBlocks);
        int outDegree = neighbours.outDegree();
        if (outDegree == 0) {
            call.send.none();
        } else {
            Call.takeItems(call.send, given, false);
            call.send.prepare(false, true);
        }
        call.shape.send().varied(outDegree);
        for (int i = 0; i < outDegree; i++) {
            call.shape.send().set(i, 0, call.send.bytes());
        }
        finish(call);
    }

    static void allToAll(Call call, Neighbours neighbours, Object given, Object into, boolean hasBlocks) {
        begin(call, neighbours, hasBlocks ? Collective.NEIGHBOUR_ALL_TO_ALL_BLOCKS : Collective.NEIGHBOUR_ALL_TO_ALL);
        takeResult(call, into, hasBlocks);
        int outDegree = neighbours.outDegree();
        if (outDegree == 0 && !hasBlocks) {
            call.send.none();
        } else {
            call.send.take(given, false);
            call.checkBlocks(call.send, hasBlocks);
            checkCount(call.send, outDegree, "to send", "destination");
            if (hasBlocks) {
                call.send.prepareBlocks(outDegree, call.shape.send(), false, true);
            } else {
                call.send.split(outDegree, call.shape.send(), "to send");
                call.send.prepare(false, true);
            }
        }
        finish(call);
    }

    private static void begin(Call call, Neighbours neighbours, Collective collective) {
        call.begin(collective, 0);
        call.shape.neighbours(neighbours);
        call.shape.contribution(false, true, 1);
    }

    private static void takeResult(Call call, Object into, boolean hasBlocks) {
        int inDegree = call.shape.neighbours().inDegree();
        if (inDegree == 0 && !hasBlocks) {
            call.receive.none();
            return;
        }
        call.receive.take(into, true);
        call.checkBlocks(call.receive, hasBlocks);
        checkCount(call.receive, inDegree, "to receive", "source");
        // The block of a neighbour that is nobody stays as it is, and gaps are the caller's.
        if (hasBlocks) {
            call.receive.prepareBlocks(inDegree, call.shape.receive(), false, true);
            call.deliversBlocks = true;
        } else {
            call.receive.split(inDegree, call.shape.receive(), "to receive");
            call.receive.prepare(false, true);
            call.delivers = true;
        }
    }

    private static void checkCount(Operand operand, int degree, String what, String neighbour) {
        if (operand.hasBlocks()) {
            if (operand.blockCount() != degree) {
                throw new IllegalArgumentException(operand.blockCount() + " blocks " + what + " were given, and this"
                        + " rank has " + degree + " " + neighbour + "(s): one block for each");
            }
        } else if (operand.count() % degree != 0) {
            throw new IllegalArgumentException(operand.count() + " items " + what + " can't be split into " + degree
                    + " equal blocks, one for each " + neighbour);
        }
    }

    private static void finish(Call call) {
        Shape shape = call.shape;
        Neighbours neighbours = shape.neighbours();
        for (int i = 0; i < neighbours.outDegree(); i++) {
            if (neighbours.isToItself(i)) {
                int own = neighbours.ownBlock(i);
                if (shape.send().bytes(i) != shape.receive().bytes(own)) {
                    throw new IllegalArgumentException("this rank's block " + i + " goes to itself and has "
                            + shape.send().bytes(i) + " bytes, and block " + own + " of its result takes "
                            + shape.receive().bytes(own));
                }
            }
        }
        call.vary();
    }
}
