package org.sluice.bench.kernels;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.Request;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;

/**
 * Step by step: a rank posts a receive for each message of its patches' neighbours at other ranks, sends what its own
 * show, waits for all, and moves them. No rank is more than one step ahead of one that has a neighbour of its patches.
 */
final class PostedPatches implements PatchSteps {
    private final Communicator world;
    private final OwnPatches own;
    private final List<Request> requests = new ArrayList<>();
    /** By patch and direction. */
    private final double[][] slots;

    PostedPatches(Communicator world, OwnPatches own) {
        this.world = world;
        this.own = own;
        slots = new double[own.count() * PatchGrid.DIRECTIONS][];
    }

    @Override
    public void run(int steps) {
        world.barrier();
        for (int i = 0; i < steps; i++) {
            step();
        }
    }

    private void step() {
        requests.clear();
        for (int patch = 0; patch < own.count(); patch++) {
            receive(patch);
        }
        for (int patch = 0; patch < own.count(); patch++) {
            send(patch);
        }
        world.device().waitAll(requests.toArray(Request[]::new));
        for (int patch = 0; patch < own.count(); patch++) {
            own.move(patch);
        }
    }

    private void receive(int patch) {
        for (int direction = 0; direction < PatchGrid.DIRECTIONS; direction++) {
            int from = own.neighbour(patch, direction);
            if (!own.isOwn(from)) {
                int slot = patch * PatchGrid.DIRECTIONS + direction;
                if (slots[slot] == null) {
                    slots[slot] = own.slot();
                }
                requests.add(world.irecv(slots[slot], own.grid().owner(from), tag(own.number(patch), direction)));
                own.get(patch).hear(direction, own.get(patch).step(), slots[slot]);
            }
        }
    }

    private void send(int patch) {
        int step = own.get(patch).step();
        double[] message = own.get(patch).show();
        for (int direction = 0; direction < PatchGrid.DIRECTIONS; direction++) {
            int to = own.neighbour(patch, direction);
            int from = PatchGrid.opposite(direction);
            if (!own.isOwn(to)) {
                requests.add(world.isend(
                        Data.of(message, 0, Patch.length(message)), own.grid().owner(to), tag(to, from)));
            } else if (direction != PatchGrid.HERE) {
                own.get(own.index(to)).hear(from, step, message);
            }
        }
    }

    private static int tag(int patch, int from) {
        return patch * PatchGrid.DIRECTIONS + from;
    }

    @Override
    public void close() {
        // Nothing is left: each step waits for what it began.
    }
}
