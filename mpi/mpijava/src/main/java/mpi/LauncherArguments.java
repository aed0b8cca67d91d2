package mpi;

import java.util.Arrays;
import java.util.List;

/**
 * The arguments that MPJ Express's launchers give in front of the program's: a rank, a configuration, a device.
 * Sluice's do so too, and say it in a property: what looks alike may be the program's own where another has started it.
 */
final class LauncherArguments {
    /** Set by {@code org.sluice.launch.ProgramWords}: the device that {@code main} is told. */
    static final String DEVICE = "org.sluice.launch.device";

    private static final int COUNT = 3;
    /** What MPJ Express wants in each rank that mpirun starts. */
    private static final List<String> OF_MPIRUN = List.of("0", "0", "native");

    private LauncherArguments() {}

    /**
     * The program's own.
     *
     * @param device that a launcher of Sluice's has told; null where there was none
     */
    static String[] own(String[] args, int rank, String device) {
        if (args.length < COUNT) {
            return args.clone();
        }
        List<String> first = Arrays.asList(args).subList(0, COUNT);
        boolean isOfLauncher = device == null
                ? first.equals(OF_MPIRUN)
                : device.equals(first.get(2)) && Integer.toString(rank).equals(first.get(0));
        return isOfLauncher ? Arrays.copyOfRange(args, COUNT, args.length) : args.clone();
    }
}
