package org.sluice.mpijava;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluice.mpi.cases.MpiCase;
import org.sluice.mpi.cases.RunOfCases;

/** The table of MPI's rules, in MPJ Express's dialect: in threads, and in processes. */
@Timeout(90)
final class MpijavaRulesTest {
    private static final String PROGRAM = "example.mpijava.Cases";

    private static RunOfCases threads;
    private static RunOfCases processes;

    @BeforeAll
    static void run() throws Exception {
        RunOfCases.Started first = RunOfCases.start(4, 1, PROGRAM);
        RunOfCases.Started second = RunOfCases.start(3, 3, PROGRAM);
        threads = first.await();
        processes = second.await();
    }

    static List<MpiCase> cases() {
        return MpiCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isKept(MpiCase rule) {
        assertEquals(List.of(), threads.differences(rule));
        assertEquals(List.of(), processes.differences(rule));
    }
}
