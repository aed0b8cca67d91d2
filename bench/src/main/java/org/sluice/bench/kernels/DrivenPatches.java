package org.sluice.bench.kernels;

import java.nio.ByteBuffer;
import org.sluice.device.Handlers;
import org.sluice.device.Lease;
import org.sluice.mpi.Communicator;

/**
 * Message-driven: what a patch shows is a message to each of its neighbours. The handler of the last one that a patch
 * waits for has it move, and a message to the own rank does that, so that what has come meanwhile has its turn first.
 * No rank waits for all; a patch waits for its neighbours alone.
 *
 * <p>All but the beginning happens in handlers, of which one runs at a time, so nothing is locked. <i>Thread</i>: the
 * rank's, and whichever runs handlers. <i>Fails</i>: what a handler throws ends {@link #run}, which throws it.
 */
final class DrivenPatches implements PatchSteps {
    private static final int BEGIN = 1;
    private static final int SHOWN = 2;
    private static final int MOVE = 3;

    private final Communicator world;
    private final Handlers handlers;
    private final OwnPatches own;
    /** Of messages from other ranks, by step's parity, patch and direction. */
    private final double[][] slots;

    private final int[] moving = new int[1];
    private int goal;
    private int unfinished;
    private Throwable failure;

    DrivenPatches(Communicator world, OwnPatches own) {
        this.world = world;
        this.own = own;
        handlers = world.device().handlers();
        slots = new double[2 * own.count() * PatchGrid.DIRECTIONS][];
        handlers.register(BEGIN, (source, message) -> guard(this::begin));
        handlers.register(SHOWN, (source, message) -> guard(() -> arrived(message)));
        handlers.register(MOVE, (source, message) -> {
            int patch = message.getInt(0);
            guard(() -> move(patch));
        });
    }

    @Override
    public void run(int steps) {
        goal += steps;
        unfinished = own.count();
        // Nobody sends before all know how far to go.
        world.barrier();
        if (unfinished == 0) {
            return;
        }
        handlers.syncSend(own.rank(), BEGIN, null);
        handlers.serve();
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
    }

    private void guard(Runnable work) {
        if (failure != null) {
            return;
        }
        try {
            work.run();
        } catch (Throwable e) {
            failure = e;
            handlers.stop();
        }
    }

    private void begin() {
        for (int patch = 0; patch < own.count(); patch++) {
            show(patch);
        }
    }

    private void show(int patch) {
        int step = own.get(patch).step();
        double[] message = own.get(patch).show();
        for (int direction = 0; direction < PatchGrid.DIRECTIONS; direction++) {
            int to = own.neighbour(patch, direction);
            int from = PatchGrid.opposite(direction);
            if (direction == PatchGrid.HERE) {
                continue;
            }
            if (own.isOwn(to)) {
                hear(own.index(to), from, step, message);
            } else {
                message[Patch.ADDRESS] = address(to, from, step);
                handlers.syncSend(own.grid().owner(to), SHOWN, message, 0, Patch.length(message));
            }
        }
        if (own.get(patch).canMove()) {
            moveLater(patch);
        }
    }

    /** Steps are told apart by parity, as nobody is more than one ahead. */
    private static double address(int patch, int from, int step) {
        return (2.0 * patch + (step & 1)) * PatchGrid.DIRECTIONS + from;
    }

    private void arrived(Lease message) {
        int address = (int) message.getDouble(0);
        int from = address % PatchGrid.DIRECTIONS;
        int parity = address / PatchGrid.DIRECTIONS & 1;
        int patch = own.index(address / PatchGrid.DIRECTIONS / 2);
        int slot = (patch * PatchGrid.DIRECTIONS + from) * 2 + parity;
        if (slots[slot] == null) {
            slots[slot] = own.slot();
        }
        ByteBuffer bytes = message.buffer();
        bytes.asDoubleBuffer().get(slots[slot], 0, bytes.remaining() / Double.BYTES);
        int step = own.get(patch).step();
        hear(patch, from, (step & 1) == parity ? step : step + 1, slots[slot]);
    }

    private void hear(int patch, int from, int step, double[] message) {
        if (own.get(patch).hear(from, step, message)) {
            moveLater(patch);
        }
    }

    private void moveLater(int patch) {
        moving[0] = patch;
        handlers.syncSend(own.rank(), MOVE, moving);
    }

    private void move(int patch) {
        own.move(patch);
        if (own.get(patch).step() < goal) {
            show(patch);
        } else if (--unfinished == 0) {
            handlers.stop();
        }
    }

    @Override
    public void close() {
        handlers.deregister(BEGIN);
        handlers.deregister(SHOWN);
        handlers.deregister(MOVE);
    }
}
