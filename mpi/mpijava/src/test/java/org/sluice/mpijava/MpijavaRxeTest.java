package org.sluice.mpijava;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.mpi.cases.MpiCase;
import org.sluice.mpi.cases.RunOfCases;

/** The table of MPI's rules, in MPJ Express's dialect, over verbs. */
@Tag("long")
@Tag("verbs")
final class MpijavaRxeTest {
    @Test
    void rulesAreKept() throws Exception {
        RunOfCases found = RunOfCases.startOverVerbs(2, "example.mpijava.Cases").await();
        for (MpiCase rule : MpiCase.all()) {
            assertEquals(List.of(), found.differences(rule), rule.toString());
        }
    }
}
