package org.sluice.bench.across;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Which variables a command on another node has: that node's own, but what is of a job, and those of the race. */
public final class JobVariables {
    /** By which a launcher tells a process which of its job's it is: what that process starts is none of them. */
    private static final List<String> OF_A_JOB = List.of(
            "PMIX_",
            "PMI_",
            "PMI2_",
            "PRTE_",
            "SLURM_",
            "MPI_LOCAL",
            // Open MPI also exports all that its command line said; its next launcher would take that for its own.
            "OMPI_",
            "HYDRA_",
            "HYDI_",
            "SLUICE_JOB_");

    /** From where somebody logged in, and options of the JVM that runs the benchmark, which contradict others' own. */
    private static final List<String> OF_A_SESSION =
            List.of("SSH_", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    private static final List<String> OF_A_RACE = List.of("BENCH_", "SLUICE_", "UCX_", "MPIR_", "MPICH_");
    private static final String OF_A_GUEST = "SLUICE_VM_";

    private JobVariables() {}

    public static void remove(Map<String, String> variables) {
        variables.keySet().removeIf(name -> OF_A_JOB.stream().anyMatch(name::startsWith));
    }

    /** Those that go to another node. */
    static Map<String, String> ofRace(Map<String, String> variables) {
        Map<String, String> found = new TreeMap<>(variables);
        found.keySet().removeIf(name -> OF_A_RACE.stream().noneMatch(name::startsWith) || name.startsWith(OF_A_GUEST));
        remove(found);
        return found;
    }

    /** What a node's own process has is made what a command has there. */
    static void join(Map<String, String> own, Map<String, String> ofRace) {
        own.keySet()
                .removeIf(name ->
                        Stream.concat(OF_A_JOB.stream(), OF_A_SESSION.stream()).anyMatch(name::startsWith));
        own.putAll(ofRace);
    }
}
