package org.sluice.bench.cold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ColdTableTest {
    private static ColdStart start(String peer, int number, long first, long second) {
        return new ColdStart(peer, ColdSpan.SHORT, number, new long[] {first * 1_000_000, second * 1_000_000});
    }

    @Test
    void eachContestantHasMediansWithTheFastestAndTheSlowestStart() {
        List<String> lines = ColdTable.of(
                        ColdSpan.SHORT,
                        "round trips",
                        List.of(
                                start("sluice", 1, 40, 10),
                                start("openmpi", 1, 3, 1),
                                start("sluice", 2, 20, 5),
                                start("sluice", 3, 90, 100)))
                .lines()
                .toList();
        assertEquals(4, lines.size(), lines.toString());
        assertTrue(lines.get(0).startsWith("cold, 1 B: round trips"), lines.get(0));
        assertTrue(lines.get(1).contains("first 1000") && lines.get(1).contains("first 20000"), lines.get(1));
        assertEquals(
                List.of("sluice", "40.0", "[20.0", "90.0]", "50.0", "[25.0", "190.0]", "3"),
                List.of(lines.get(2).split(" +")));
        assertEquals(
                List.of("openmpi", "3.0", "[3.0", "3.0]", "4.0", "[4.0", "4.0]", "1"),
                List.of(lines.get(3).split(" +")));
    }
}
