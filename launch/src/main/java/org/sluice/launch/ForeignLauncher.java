package org.sluice.launch;

import java.util.Map;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * Launchers of other systems that don't speak PMIx here, so that their jobs can't be joined: a program that one of them
 * started several times would find itself alone each time, as rank 0 of 1, and its messages would never meet.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code ForeignLauncherTest}.
 */
final class ForeignLauncher {
    /** Where launchers say how many processes they have started, each in the environment of those. */
    private static final String[] SIZES = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

    private ForeignLauncher() {}

    /** @throws SluiceException OPEN_FAILED where this is one of several processes of such a launcher */
    static void refuse(Map<String, String> environment) {
        String name = severalBy(environment);
        if (name != null) {
            String value = environment.get(name);
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    -1,
                    "this process is one of " + value + " of a launcher (" + name + "=" + value
                            + ") that doesn't speak PMIx here, so that its job can't be joined: start the ranks with"
                            + " Open MPI's mpirun, with srun --mpi=pmix or with ./sluice run, and don't set"
                            + " SLUICE_PMIX=off; to be rank 0 of 1 in each of them, set SLUICE_JOB_SIZE=1",
                    null);
        }
    }

    /** The variable that says so; null where there is none. */
    static String severalBy(Map<String, String> environment) {
        for (String name : SIZES) {
            String value = environment.get(name);
            if (value != null && isSeveral(value)) {
                return name;
            }
        }
        return null;
    }

    /** Whether any of them has said how many. */
    static boolean isSaid(Map<String, String> environment) {
        for (String name : SIZES) {
            if (environment.containsKey(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSeveral(String value) {
        try {
            return Long.parseLong(value.trim()) > 1;
        } catch (NumberFormatException e) {
            // Somebody else's variable.
            return false;
        }
    }
}
