package mpi;

import java.util.Arrays;
import java.util.Set;

/** The arguments that MPJ Express's launchers give in front of the program's: a rank, a configuration, a device. */
final class LauncherArguments {
    private static final int COUNT = 3;
    private static final Set<String> DEVICES =
            Set.of("niodev", "mxdev", "smpdev", "hybdev", "multicore", "native", "sluice");

    private LauncherArguments() {}

    /**
     * The program's own.
     *
     * @throws MPIException if they say that this is another rank than the device's
     */
    static String[] own(String[] args, int rank) {
        if (args.length < COUNT || !DEVICES.contains(args[2]) || !isNumber(args[0])) {
            return args.clone();
        }
        if (Integer.parseInt(args[0]) != rank) {
            throw new MPIException("the arguments say that this is rank " + args[0] + ", and Sluice's launcher that it"
                    + " is rank " + rank + ": start the program with ./sluice run or with Sluice's mpjrun.sh");
        }
        return Arrays.copyOfRange(args, COUNT, args.length);
    }

    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() < 10;
    }
}
