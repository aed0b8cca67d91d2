package org.sluice.bench.across;

import java.util.List;
import java.util.Map;

/** Variables by which a launcher tells a process which of its job's it is: what that process starts is none of them. */
public final class JobVariables {
    private static final List<String> PREFIXES = List.of(
            "PMIX_",
            "PMI_",
            "PMI2_",
            "PRTE_",
            "SLURM_",
            "MPI_LOCAL",
            "OMPI_COMM_WORLD_",
            "OMPI_UNIVERSE_",
            "OMPI_MCA_ess",
            "OMPI_MCA_orte_",
            "OMPI_MCA_pmix",
            "OMPI_MCA_shmem_RUNTIME",
            "HYDRA_",
            "HYDI_",
            "SLUICE_JOB_");

    /** Of the machine on which a process is. */
    private static final List<String> OF_A_NODE = List.of("SLUICE_VM_NODE", "HOSTNAME", "TMPDIR");

    private JobVariables() {}

    public static void remove(Map<String, String> variables) {
        variables.keySet().removeIf(name -> PREFIXES.stream().anyMatch(name::startsWith));
    }

    /** What somebody on another node wants its command to have, which keeps what is this node's. */
    static void replace(Map<String, String> own, Map<String, String> wanted) {
        own.keySet().removeIf(name -> !OF_A_NODE.contains(name));
        wanted.forEach((name, value) -> {
            if (!OF_A_NODE.contains(name)) {
                own.put(name, value);
            }
        });
        remove(own);
    }
}
