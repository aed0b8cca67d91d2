package org.sluice.bench.kernels;

import java.util.Arrays;
import org.sluice.bench.hop.Cores;
import org.sluice.device.Device;
import org.sluice.mpi.Communicator;

/**
 * The main class of a kernel's ranks. Runs each once for the compiler, in class S, and once to be timed; rank 0 says
 * what came of it. Arguments: whether to pin, the class, kernels.
 */
public final class KernelRank {
    private static final int FIRST_KERNEL = 2;

    private KernelRank() {}

    public static void main(String[] args) {
        Cores cores = Cores.allowed();
        ProblemClass size = ProblemClass.valueOf(args[1]);
        try (Device device = Device.open()) {
            if (Boolean.parseBoolean(args[0]) && cores.count() >= device.size()) {
                Cores.pinCaller(cores.number(device.rank()));
            }
            Communicator world = Communicator.world(device);
            for (String name : Arrays.asList(args).subList(FIRST_KERNEL, args.length)) {
                NasKernel kernel = NasKernel.valueOf(name);
                if (size != ProblemClass.S) {
                    kernel.make().run(world, ProblemClass.S);
                }
                Outcome outcome = kernel.make().run(world, size);
                if (device.rank() == 0) {
                    System.out.println(new KernelReading(
                                    kernel,
                                    size,
                                    outcome.isVerified(),
                                    outcome.mops(),
                                    outcome.seconds(),
                                    outcome.value())
                            .encode());
                }
            }
        }
    }
}
