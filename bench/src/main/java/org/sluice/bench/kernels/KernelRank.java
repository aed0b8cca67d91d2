package org.sluice.bench.kernels;

import java.util.Arrays;
import org.sluice.bench.hop.Cores;
import org.sluice.device.Device;
import org.sluice.device.counter.Counter;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Reduction;

/**
 * The main class of a kernel's ranks. Each is warmed up, but for class S, of which tests want results and no figures;
 * then it is timed, and rank 0 says what came of it. Arguments: whether to pin, the problem, kernels.
 */
public final class KernelRank {
    private static final int FIRST_KERNEL = 2;
    private static final long WARM_UP_NS = 3_000_000_000L;

    private KernelRank() {}

    public static void main(String[] args) {
        Cores cores = Cores.allowed();
        Problem problem = Problem.parse(args[1]);
        try (Device device = Device.open()) {
            if (Boolean.parseBoolean(args[0]) && cores.count() >= device.size()) {
                Cores.pinCaller(cores.number(device.rank()));
            }
            Communicator world = Communicator.world(device);
            for (String name : Arrays.asList(args).subList(FIRST_KERNEL, args.length)) {
                KernelName kernel = KernelName.valueOf(name);
                WarmUp warmUp = new WarmUp(world, problem.size() == ProblemClass.S ? 0 : WARM_UP_NS);
                Outcome outcome = kernel.make().run(world, problem, warmUp);
                double connections = connections(device, world);
                if (device.rank() == 0) {
                    System.out.println(new KernelReading(
                                    kernel,
                                    problem,
                                    outcome.isVerified(),
                                    new KernelReading.Figures(outcome.mops(), outcome.seconds(), connections),
                                    outcome.value())
                            .encode());
                }
            }
        }
    }

    /** The mean over ranks, before telling it to each other makes more. */
    private static double connections(Device device, Communicator world) {
        double[] own = {device.counters().get(Counter.CONNECTIONS.key())};
        double[] all = new double[1];
        world.allReduce(own, all, Reduction.SUM);
        return all[0] / device.size();
    }
}
