package org.sluice.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BenchPlanTest {

    @Test
    void sizesAreReadAsUsersWriteThem() {
        assertEquals(List.of(0, 8, 1024, 65_536, 1 << 20, 1 << 30), Sizes.parse("0,8,1k, 64K,1m,1g"));
        assertEquals(List.of(8), Sizes.parse("8,8"), "a size that is named twice is run once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8,", "-1", "1.5k", "8b", "2g", "99999999999", "k"})
    void aBadSizeIsRefusedWithWhatIsAllowed(String list) {
        String message = assertThrows(IllegalArgumentException.class, () -> Sizes.parse(list))
                .getMessage();
        assertTrue(message.contains("'" + list + "'") && message.contains("8,1k,64k,1m"), message);
    }

    @Test
    void sizesAreShownInTheirUnit() {
        assertEquals("0 B", Sizes.format(0));
        assertEquals("1000 B", Sizes.format(1000));
        assertEquals("64 KB", Sizes.format(65_536));
        assertEquals("16 MB", Sizes.format(16 << 20));
    }

    @Test
    void aStepSurvivesItsLine() {
        Step step = new Step(Benchmark.RATE, Api.REQUEST, 8, 5, 1, 2, Rewrite.YES, false, 64);
        assertEquals(step, Step.decode(step.encode()));
        assertEquals("RUN rate request 8 5 1 2 1 0 64", step.encode(), "the C peer reads this line");
        assertEquals(step, Step.decode(step.encode()));
        assertThrows(IllegalArgumentException.class, () -> Step.decode("RUN rate request 8"));
    }

    @Test
    void windowsOfCheckedMessagesStayWithinMemory() {
        assertEquals(64, plan(Benchmark.BANDWIDTH, false).window(16 << 20), "one slot for all");
        assertEquals(64, plan(Benchmark.BANDWIDTH, true).window(1 << 20));
        assertEquals(4, plan(Benchmark.BANDWIDTH, true).window(16 << 20));
        assertEquals(1, plan(Benchmark.LATENCY, true).window(8));
        assertEquals(4L * (16 << 20), plan(Benchmark.BANDWIDTH, true).largestBuffer());
        assertEquals(2L * (16 << 20), plan(Benchmark.NEIGHBOR, false).largestBuffer(), "a neighbour on either side");
    }

    @Test
    void aCrowdIsOneBenchmarkForEachPatternAndOneForPostedReceives() {
        List<Benchmark> crowds = Benchmark.named("crowd");
        assertEquals(
                List.of("crowd-posted", "crowd-exact", "crowd-any-source", "crowd-any-tag", "crowd-any"),
                crowds.stream().map(Benchmark::label).toList());
        assertEquals(
                List.of("crowd-any-source", "crowd-any"),
                crowds.stream()
                        .filter(Benchmark::anySource)
                        .map(Benchmark::label)
                        .toList());
        assertEquals(
                List.of("crowd-any-tag", "crowd-any"),
                crowds.stream().filter(Benchmark::anyTag).map(Benchmark::label).toList());
        assertEquals(List.of(Benchmark.RATE), Benchmark.named("rate"));
        for (Benchmark benchmark : Benchmark.values()) {
            assertEquals(crowds.contains(benchmark), benchmark.crowded(), benchmark.label());
            assertEquals(benchmark, Benchmark.of(benchmark.label()));
        }
    }

    private static BenchPlan plan(Benchmark benchmark, boolean verify) {
        return new BenchPlan(
                benchmark,
                Route.SHM,
                Api.REQUEST,
                BufferKind.ARRAY,
                2,
                List.of(16 << 20),
                0,
                0,
                true,
                List.of(),
                false,
                verify,
                0,
                1,
                1,
                VerbsUse.CHOSEN);
    }
}
