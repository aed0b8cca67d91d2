package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;

/** A process of a launcher whose job it can't join says so, instead of being alone. */
final class ForeignLauncherTest {
    @ParameterizedTest
    @ValueSource(strings = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    void oneOfSeveralIsRefused(String name) {
        SluiceException refused = assertThrows(SluiceException.class, () -> ForeignLauncher.refuse(Map.of(name, "2")));
        assertEquals(ErrorCode.OPEN_FAILED, refused.code());
        assertTrue(
                refused.getMessage().contains(name + "=2")
                        && refused.getMessage().contains("./sluice run"),
                refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0", "", "many"})
    void oneAloneIsNot(String size) {
        assertDoesNotThrow(() -> ForeignLauncher.refuse(Map.of("PMI_SIZE", size)));
    }

    @Test
    void whoeverStartsAJobOfItsOwnIsToldOfTheOneAroundIt() {
        Map<String, String> ours = Map.of("SLUICE_JOB_SIZE", "3", "PMI_SIZE", "4");
        assertEquals(
                Optional.of("sluice.job.size=3, environment SLUICE_JOB_SIZE"),
                Job.severalBy(Options.of(Map.of(), Map.of(), ours), ours));
        Map<String, String> foreign = Map.of("PMI_SIZE", "4");
        assertEquals(Optional.of("PMI_SIZE=4"), Job.severalBy(Options.of(Map.of(), Map.of(), foreign), foreign));
        Map<String, String> alone = Map.of("SLUICE_JOB_SIZE", "1", "PMI_SIZE", "4");
        assertEquals(Optional.empty(), Job.severalBy(Options.of(Map.of(), Map.of(), alone), alone), "as at open");
    }

    @Test
    void aStepOfSeveralProcessesIsKnownToWhoeverWouldStartAJobInEach() {
        Map<String, String> pmix = Map.of("PMIX_NAMESPACE", "1234.1", "PMIX_RANK", "1");
        assertEquals(Optional.of("OMPI_COMM_WORLD_SIZE=2"), Job.foreignStep(with(pmix, "OMPI_COMM_WORLD_SIZE", "2")));
        assertEquals(
                Optional.of("SLURM_STEP_NUM_TASKS=4"),
                Job.foreignStep(Map.of("SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID", "0")));
        assertEquals(Optional.of("PMIX_RANK=1"), Job.foreignStep(pmix), "one that doesn't say how many there are");
        assertEquals(
                Optional.empty(), Job.foreignStep(with(pmix, "SLURM_STEP_NUM_TASKS", "1")), "a step of one process");
        assertEquals(
                Optional.empty(),
                Job.foreignStep(Map.of("SLURM_NTASKS", "4", "SLURM_PROCID", "0", "SLURM_JOB_ID", "7")),
                "the batch script itself");
        assertEquals(Optional.empty(), Job.foreignStep(with(pmix, "SLUICE_JOB_SIZE", "1")), "its user wants it");
    }

    private static Map<String, String> with(Map<String, String> environment, String variable, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(variable, value);
        return more;
    }

    @Test
    void aLauncherThatSpeaksPmixIsJoinedUnlessTheProcessIsAloneOrSaysNo() {
        Map<String, String> mpirun = Map.of("PMIX_NAMESPACE", "1234.1", "PMIX_RANK", "0", "OMPI_COMM_WORLD_SIZE", "2");
        assertTrue(isAround(mpirun));
        assertTrue(
                isAround(Map.of("PMIX_NAMESPACE", "1234.1", "PMIX_RANK", "0")),
                "one that doesn't say how many there are");
        assertFalse(isAround(Map.of("PMIX_NAMESPACE", "1234.1", "PMIX_RANK", "0", "SLURM_STEP_NUM_TASKS", "1")));
        assertTrue(isAround(Map.of(
                "PMIX_NAMESPACE",
                "1234.1",
                "PMIX_RANK",
                "0",
                "SLURM_STEP_NUM_TASKS",
                "1",
                "SLUICE_JOB_JVM_RANKS",
                "2")));
        assertFalse(isAround(Map.of("PMIX_RANK", "0", "OMPI_COMM_WORLD_SIZE", "2")));
        assertFalse(isAround(Map.of("PMIX_NAMESPACE", "", "PMIX_RANK", "0")));
        assertFalse(isAround(Map.of("PMIX_NAMESPACE", "1234.1", "PMIX_RANK", "0", "SLUICE_PMIX", "off")));
    }

    @Test
    void whereOpenMpi4LetsOthersLiveOnItTellsThemNothing() {
        assertTrue(PmixLauncher.tellsOfDeaths(Map.of()));
        assertTrue(PmixLauncher.tellsOfDeaths(Map.of("OMPI_MCA_orte_enable_recovery", "0")));
        assertFalse(PmixLauncher.tellsOfDeaths(Map.of("OMPI_MCA_orte_enable_recovery", "1")));
        assertFalse(PmixLauncher.tellsOfDeaths(Map.of("OMPI_MCA_orte_enable_recovery", "true")));
        assertFalse(PmixLauncher.tellsOfDeaths(Map.of("OMPI_MCA_orte_enable_recovery", "2")));
        assertFalse(PmixLauncher.tellsOfDeaths(Map.of("OMPI_MCA_orte_enable_recovery", "enabled")));
        assertTrue(PmixLauncher.tellsOfDeaths(Map.of("OMPI_MCA_orte_enable_recovery", "False")));
    }

    private static boolean isAround(Map<String, String> environment) {
        return PmixLauncher.isAround(Options.of(Map.of(), Map.of(), environment), environment);
    }

    @Test
    void anAllocationIsNoStep() {
        assertDoesNotThrow(() -> ForeignLauncher.refuse(Map.of("SLURM_NTASKS", "8")));
    }
}
