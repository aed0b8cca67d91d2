package org.sluice.bench.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.bench.papers.RunComparison.Change;

/** Noise is no regression, and a regression is none of noise. */
final class RunComparisonTest {
    private static final double[] STEADY = {100, 101, 102, 103, 104, 105};

    @TempDir
    private Path folder;

    private static double[] times(double factor, double... values) {
        double[] all = values.clone();
        for (int i = 0; i < all.length; i++) {
            all[i] *= factor;
        }
        return all;
    }

    private static RunComparison compare(List<String> before, List<String> after) {
        return RunComparison.of(Rounds.parsed(before), Rounds.parsed(after));
    }

    @Test
    void aChangeBeyondTheSpreadIsTold() {
        RunComparison slower = compare(
                Rounds.latency("sluice", 8).of("p50", STEADY),
                Rounds.latency("sluice", 8).of("p50", times(1.3, STEADY)));
        assertEquals(1, slower.count(Change.SLOWER), slower.toString());
        assertFalse(slower.isGood());
        assertTrue(
                slower.toString().startsWith("slower 1.30 times: latency shm sluice, ranks 2, 8 B, ns: "),
                slower::toString);
        RunComparison faster = compare(
                Rounds.latency("sluice", 8).of("p50", times(1.3, STEADY)),
                Rounds.latency("sluice", 8).of("p50", STEADY));
        assertEquals(1, faster.count(Change.FASTER), faster.toString());
        assertTrue(faster.isGood());
    }

    /** What was used once and what was used sixteen times are two figures, of too few rounds each. */
    @Test
    void usesTellFiguresApart() {
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (int uses : new int[] {1, 16}) {
            before.addAll(Rounds.latency("sluice", 8).with("uses", uses).of("p50", 100, 101, 102));
            after.addAll(Rounds.latency("sluice", 8).with("uses", uses).of("p50", 200, 201, 202));
        }
        RunComparison comparison = compare(before, after);
        assertEquals(2, comparison.count(Change.TOO_FEW_ROUNDS), comparison.toString());
    }

    @Test
    void moreOfARateIsFaster() {
        RunComparison comparison = compare(
                Rounds.latency("sluice", 8).with("unit", "MB/s").of("mean", STEADY),
                Rounds.latency("sluice", 8).with("unit", "MB/s").of("mean", times(1.3, STEADY)));
        assertEquals(1, comparison.count(Change.FASTER), comparison.toString());
    }

    @Test
    void noiseIsNotTold() {
        RunComparison wide = compare(
                Rounds.latency("sluice", 8).of("p50", 80, 90, 100, 150, 160, 170),
                Rounds.latency("sluice", 8).of("p50", 100, 130, 150, 160, 200, 210));
        assertEquals(1, wide.count(Change.WITHIN_THE_SPREAD), wide.toString());
        RunComparison small = compare(
                Rounds.latency("sluice", 8).of("p50", STEADY),
                Rounds.latency("sluice", 8).of("p50", times(1.08, STEADY)));
        assertEquals(1, small.count(Change.WITHIN_THE_SPREAD), small.toString());
        RunComparison few = compare(
                Rounds.latency("sluice", 8).of("p50", 100, 101, 102),
                Rounds.latency("sluice", 8).of("p50", 200, 201, 202));
        assertEquals(1, few.count(Change.TOO_FEW_ROUNDS), few.toString());
    }

    @Test
    void roundsOfOneStateAreComparedWithEachOther() {
        List<String> before = new ArrayList<>(Rounds.latency("sluice", 8).of("p50", STEADY));
        List<String> after = new ArrayList<>(Rounds.latency("sluice", 8).of("p50", STEADY));
        after.addAll(Rounds.latency("sluice", 8)
                .with("state", "far")
                .of("p50", times(3, times(1, 100, 100, 100, 100, 100, 100, 100, 100))));
        after.addAll(Rounds.latency("sluice", 8).with("state", "mixed").of("p50", times(9, STEADY)));
        RunComparison comparison = compare(before, after);
        assertEquals(1, comparison.count(Change.WITHIN_THE_SPREAD), comparison.toString());
    }

    @Test
    void anotherProgramThatChangedIsNoFaultOfOurs() {
        RunComparison comparison = compare(
                Rounds.latency("openmpi", 8).of("p50", STEADY),
                Rounds.latency("openmpi", 8).of("p50", times(2, STEADY)));
        assertTrue(comparison.isGood());
        assertTrue(comparison.toString().contains("other programs changed as well (openmpi)"), comparison::toString);
    }

    @Test
    void whatIsGoneAndAnotherMachineAreNamed() {
        List<String> before = new ArrayList<>(Rounds.latency("sluice", 8).of("p50", STEADY));
        before.addAll(Rounds.latency("sluice", 64).of("p50", STEADY));
        RunComparison comparison =
                compare(before, Rounds.latency("sluice", 8).with("cores", 4).of("p50", STEADY));
        String said = comparison.toString();
        assertTrue(said.contains("only in the first: latency shm sluice, ranks 2, 64 B, ns"), said);
        assertTrue(said.contains("different machines or JDKs: <cpu>, 2 cores"), said);
    }

    @Test
    void strongAndWeakScalingAreTwoFigures() {
        List<String> before = new ArrayList<>(
                Rounds.latency("sluice", 8).with("scaling", "strong").of("p50", STEADY));
        before.addAll(Rounds.latency("sluice", 8).with("scaling", "weak").of("p50", times(5, STEADY)));
        assertEquals(2, compare(before, before).count(Change.WITHIN_THE_SPREAD));
    }

    @Test
    void foldersAndFilesAreRead() throws Exception {
        Path file = folder.resolve("one.json");
        Files.write(file, Rounds.latency("sluice", 8).of("p50", STEADY));
        Path records = Files.createDirectories(folder.resolve("two/records"));
        Files.write(
                records.resolve("latency.jsonl"), Rounds.latency("sluice", 8).of("p50", times(2, STEADY)));
        RunComparison comparison = RunComparison.of(file, folder.resolve("two"));
        assertEquals(1, comparison.count(Change.SLOWER), comparison.toString());
        assertThrows(IllegalArgumentException.class, () -> RunComparison.of(file, folder.resolve("none")));
        Files.write(folder.resolve("other.json"), Rounds.latency("sluice", 64).of("p50", STEADY));
        assertThrows(IllegalArgumentException.class, () -> RunComparison.of(file, folder.resolve("other.json")));
    }
}
