package org.sluice.launch;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Whether a launcher that speaks PMIx has started this process: Open MPI's mpirun, PRRTE's prterun, Slurm's srun with
 * {@code --mpi=pmix}.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code ForeignLauncherTest}.
 */
final class PmixLauncher {
    /** The job's name, in the environment of each of its processes. */
    static final String NAMESPACE = "PMIX_NAMESPACE";
    /** Of the process among those of the job. */
    static final String RANK = "PMIX_RANK";

    /** Set by Open MPI 4's {@code mpirun --enable-recovery}. */
    private static final String RECOVERY = "OMPI_MCA_orte_enable_recovery";
    /**
     * What Open MPI takes for false; of all else some is true, and connecting costs less than a death that nobody tells
     * of.
     */
    private static final Set<String> OFF = Set.of("0", "false", "f", "disabled", "no", "n");

    private PmixLauncher() {}

    /**
     * Whether a process hears of each other that dies while it lives on. Open MPI 4 lets processes live on, and its
     * event never comes, not even to a bare client of PMIx.
     */
    static boolean tellsOfDeaths(Map<String, String> environment) {
        return OFF.contains(environment.getOrDefault(RECOVERY, "0").toLowerCase(Locale.ROOT));
    }

    /**
     * A process that its launcher says is the only one, and that holds one rank, has nobody to meet: it needs no
     * libpmix.
     */
    static boolean isAround(Options options, Map<String, String> environment) {
        if (options.text(Option.PMIX).equals("off") || !isNamedBy(environment)) {
            return false;
        }
        return ForeignLauncher.severalBy(environment) != null
                || !ForeignLauncher.isSaid(environment)
                || options.count(Option.JOB_JVM_RANKS) > 1;
    }

    static boolean isNamedBy(Map<String, String> environment) {
        return isSet(environment, NAMESPACE) && isSet(environment, RANK);
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        String value = environment.get(name);
        return value != null && !value.isEmpty();
    }
}
