package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.bench.contestant.ContestantFailure;

/** What a guest's kernel is told of the host's counter. */
final class HostCounterTest {
    @Test
    void whatIsMeasuredTwiceIsTheSame() throws Exception {
        long first = HostCounter.khz().orElseThrow();
        long second = HostCounter.khz().orElseThrow();
        assertTrue(Math.abs(first - second) < first / 500, first + " and " + second + " kHz");
    }

    @Test
    void aNumberIsBelieved() throws ContestantFailure {
        assertEquals(2_596_146, HostCounter.believed("2596146", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nan", "-5", "0", "99999", "20000001", "2596146 kHz", "99999999999999999999"})
    void whatCantBeIsNot(String printed) {
        ContestantFailure failure =
                assertThrows(ContestantFailure.class, () -> HostCounter.believed(printed, "exit status 3"));
        assertTrue(
                failure.getMessage().contains(printed) || failure.getMessage().contains("exit status 3"),
                failure.getMessage());
    }
}
