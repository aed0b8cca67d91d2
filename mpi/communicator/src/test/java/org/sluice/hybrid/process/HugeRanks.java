package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.Status;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Layout;
import org.sluice.mpi.Reduction;

/** Program of {@link HugeProcessTest}: two ranks, each with one array whose bytes no int counts. */
final class HugeRanks {
    private static final int HALF = (1 << 27) + 3;
    private static final int LONGS = 2 * HALF;
    static final long BYTES = (long) LONGS * Long.BYTES;
    /** Of elements that are written and looked at: some in each page, and in each piece of a call. */
    private static final int STRIDE = 509;

    private final Communicator world;
    private long[] values;

    private HugeRanks(Communicator world) {
        this.world = world;
    }

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            Communicator world = Communicator.world(device);
            run(world, "broadcast", "allReduce", "allGather");
        }
    }

    /** @param calls by name, one after the other; a message comes first */
    static void run(Communicator world, String... calls) {
        HugeRanks ranks = new HugeRanks(world);
        long began = System.nanoTime();
        for (String call : calls) {
            ranks.make(call);
            Say.line(call + " after " + (System.nanoTime() - began) / 1_000_000 + " ms");
        }
    }

    private void make(String call) {
        int rank = world.rank();
        if (values == null && !call.equals("message")) {
            values = new long[LONGS];
        }
        switch (call) {
            case "message" -> message();
            case "broadcast" -> {
                fill(0, LONGS, rank == 1 ? 3 : 4);
                world.broadcast(values, 1);
                check(call, 0, LONGS, 3);
            }
            case "allReduce" -> {
                fill(0, LONGS, 10 + rank);
                world.allReduce(Data.IN_PLACE, values, Reduction.SUM);
                check(call, 0, LONGS, 21);
            }
            case "gather" -> {
                fillHalves(5 + rank);
                world.gather(rank == 0 ? Data.IN_PLACE : Data.of(values, 0, HALF), values, 0);
                check(call, 0, HALF, 5 + rank);
                check(call, HALF, LONGS, 6);
            }
            default -> {
                fillHalves(0);
                fill(rank * HALF, (rank + 1) * HALF, 40 + rank);
                world.allGather(Data.IN_PLACE, values);
                check(call, 0, HALF, 40);
                check(call, HALF, LONGS, 41);
            }
        }
    }

    /** Of items that are packed first; they lie all at one place, so that they take no memory beside that. */
    private void message() {
        if (world.rank() == 0) {
            world.send(Data.of(new long[] {2}, 0, LONGS, Layout.LONG.resized(0, 0)), 1, 1);
            values = new long[LONGS];
        } else {
            values = new long[LONGS];
            Status status = world.recv(Data.of(values, 0, 1, Layout.LONG.contiguous(LONGS)), 0, 1);
            Say.check(status.bytes() == BYTES && status.count() == LONGS, "status " + status);
            for (int i = 0; i < LONGS; i++) {
                if (values[i] != 2) {
                    Say.check(false, "message: element " + i + " is " + values[i]);
                }
            }
        }
    }

    private void fill(int from, int to, long factor) {
        for (int i = from; i < to; i += STRIDE) {
            values[i] = factor * (i - from + 1);
        }
        values[to - 1] = factor;
    }

    private void fillHalves(long factor) {
        fill(0, HALF, factor);
        fill(HALF, LONGS, factor);
    }

    private void check(String call, int from, int to, long factor) {
        for (int i = from; i < to - 1; i += STRIDE) {
            long value = values[i];
            Say.check(value == factor * (i - from + 1), call + ": element " + i + " is " + value);
        }
        Say.check(values[to - 1] == factor, call + ": the last element is " + values[to - 1]);
    }
}
