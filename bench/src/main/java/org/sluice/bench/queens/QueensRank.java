package org.sluice.bench.queens;

import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.device.Device;

/**
 * The main class of a rank that solves one problem several times, after smaller ones that nobody times. Arguments:
 * queens, threshold, api, whether tasks are checked, times.
 */
public final class QueensRank {
    private static final int TAG = 9;
    private static final int WARM_UPS = 6;
    private static final int WARM_UP_QUEENS = 12;

    private QueensRank() {}

    public static void main(String[] args) {
        QueensProblem problem = new QueensProblem(
                Integer.parseInt(args[0]), Integer.parseInt(args[1]), Api.of(args[2]), Boolean.parseBoolean(args[3]));
        int times = Integer.parseInt(args[4]);
        try (Device device = Device.open()) {
            Cores cores = Cores.allowed();
            if (cores.count() >= device.size()) {
                Cores.pinCaller(cores.number(device.rank()));
            }
            for (QueensReading reading : solve(device, problem, times)) {
                System.out.println(reading.encode());
            }
        }
    }

    /** @return on rank 0 a reading for each time, else none */
    static List<QueensReading> solve(Device device, QueensProblem problem, int times) {
        List<QueensReading> readings = new ArrayList<>();
        try (Player player = problem.api() == Api.COROUTINE ? new SuspendedPlayer(device) : new HandlerPlayer(device)) {
            QueensProblem small = problem.smaller(Math.max(WARM_UP_QUEENS, problem.threshold()));
            for (int time = -WARM_UPS; time < times; time++) {
                QueensReading reading = once(device, player, time < 0 ? small : problem);
                if (device.rank() == 0 && time >= 0) {
                    readings.add(reading);
                }
            }
            device.barrier();
        }
        return readings;
    }

    private static QueensReading once(Device device, Player player, QueensProblem problem) {
        player.begin(problem);
        device.barrier();
        long begin = System.nanoTime();
        RankShare own = player.play();
        long nanos = System.nanoTime() - begin;
        if (device.rank() > 0) {
            device.send(own.encode(), 0, TAG);
            return null;
        }
        List<RankShare> ranks = new ArrayList<>(List.of(own));
        long[] numbers = new long[RankShare.NUMBERS];
        for (int rank = 1; rank < device.size(); rank++) {
            device.recv(numbers, rank, TAG);
            ranks.add(RankShare.decode(numbers, 0));
        }
        return new QueensReading(nanos, ranks);
    }
}
