package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Reduction;

/**
 * Program of {@link CollectiveDeathProcessTest}: all ranks make the same calls again and again until one dies, and then
 * those that are left go on without it.
 */
final class MourningRanks {
    private final Communicator world;
    private final String call;
    private final double[] own;
    private final double[] all;

    private MourningRanks(Communicator world, String call, int count) {
        this.world = world;
        this.call = call;
        this.own = new double[count];
        this.all = new double[count * world.size()];
    }

    /** Called with the call, the count of items, and the rank that is to die. */
    public static void main(String[] args) {
        try (Device device = Device.open()) {
            Communicator world = Communicator.world(device);
            new MourningRanks(world, args[0], Integer.parseInt(args[1])).run(Integer.parseInt(args[2]));
        }
    }

    private void run(int victim) {
        make();
        Say.line("going");
        var failure = Say.failure(call, () -> {
            while (true) {
                make();
            }
        });
        Say.check(failure.code() == ErrorCode.PEER_DEAD && failure.peer() == victim, "why: " + failure);
        Say.check(failure.getMessage().contains("rank " + victim + " of Communicator[world"), "who: " + failure);
        var again = Say.failure("the next", world::barrier);
        Say.check(again.peer() == victim, "why: " + again);
        Say.check(world.agree(~(1L << world.rank())) == ~(0xFL & ~(1L << victim)), "what was agreed on");
        Communicator living = world.shrink();
        Say.check(living.size() == world.size() - 1, "size " + living.size());
        long[] sum = {1L << world.rank()};
        living.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
        Say.check(sum[0] == (0xFL & ~(1L << victim)), "sum " + sum[0]);
        int[] heard = new int[1];
        if (living.rank() == 0) {
            living.recv(heard, Device.ANY_SOURCE, 3);
        } else if (living.rank() == 1) {
            living.send(new int[] {5}, 0, 3);
        }
        Say.check(heard[0] == (living.rank() == 0 ? 5 : 0), "a message of anybody");
        living.free();
    }

    private void make() {
        switch (call) {
            case "barrier" -> world.barrier();
            case "broadcast" -> world.broadcast(own, 1);
            case "reduce" -> world.reduce(own, all(own.length), Reduction.SUM, 0);
            case "allReduce" -> world.allReduce(own, all(own.length), Reduction.SUM);
            case "allGather" -> world.allGather(own, all);
            case "allToAll" -> world.allToAll(all, all.clone());
            case "scan" -> world.scan(own, all(own.length), Reduction.SUM);
            case "iallReduce" ->
                world.iallReduce(own, all(own.length), Reduction.SUM).waitFor();
            default -> throw new IllegalArgumentException(call);
        }
    }

    private Object all(int count) {
        return Data.of(all, 0, count);
    }
}
