package org.sluice.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.mpi.cases.MpiCase;
import org.sluice.mpi.cases.RunOfCases;

/** The table of MPI's rules, in Open MPI's dialect, over verbs. */
@Tag("long")
@Tag("verbs")
final class OpenMpiRxeTest {
    @Test
    void rulesAreKept() throws Exception {
        RunOfCases found = RunOfCases.startOverVerbs(2, "example.openmpi.Cases").await();
        for (MpiCase rule : MpiCase.ofBoth()) {
            assertEquals(List.of(), found.differences(rule), rule.toString());
        }
    }
}
