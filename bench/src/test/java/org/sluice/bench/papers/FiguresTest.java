package org.sluice.bench.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is drawn and what is run belong together. */
final class FiguresTest {
    private static final int HALF_AN_HOUR_S = 30 * 60;
    private static final int FIVE_MINUTES_S = 5 * 60;

    @Test
    void eachCurveHasARunAndEachRunACurve() {
        Set<String> runs = new TreeSet<>();
        Runs.all().forEach(run -> assertTrue(runs.add(run.name()), run.name()));
        Set<String> used = new TreeSet<>();
        Figures.all().forEach(figure -> used.addAll(figure.runs()));
        assertEquals(runs, used);
    }

    @Test
    void contestantsOfCurvesAreRaced() {
        for (Figure figure : Figures.all()) {
            for (Panel panel : figure.panels()) {
                for (Curve curve : panel.curves()) {
                    String peer = curve.where().getOrDefault("peer", "sluice");
                    for (PaperRun run : Runs.all()) {
                        assertTrue(
                                !curve.runs().contains(run.name())
                                        || peer.equals("sluice")
                                        || run.peers(false).contains(peer),
                                panel.id() + " shows " + peer + ", whom " + run.name() + " doesn't race");
                    }
                }
            }
        }
    }

    @Test
    void idsAndLabelsAreUniqueAndUnitsAreShared() {
        Set<String> ids = new HashSet<>();
        for (Figure figure : Figures.all()) {
            assertTrue(ids.add(figure.id()), figure.id());
            for (Panel panel : figure.panels()) {
                assertTrue(ids.add(panel.id()), panel.id());
                Set<String> labels = new HashSet<>();
                for (Curve curve : panel.curves()) {
                    assertTrue(labels.add(curve.label()), panel.id() + " has two curves " + curve.label());
                    assertEquals(panel.unit(), curve.quantity().unit(), panel.id());
                }
            }
        }
    }

    @Test
    void allFitsIntoItsTime() {
        List<String> all = Figures.all().stream().map(Figure::id).toList();
        int whole = PapersRunner.of(all, false, false).stream()
                .mapToInt(run -> run.seconds(false))
                .sum();
        int quick = PapersRunner.of(all, true, false).stream()
                .mapToInt(run -> run.seconds(true))
                .sum();
        assertTrue(whole < HALF_AN_HOUR_S, whole + " s");
        assertTrue(quick < FIVE_MINUTES_S, quick + " s");
    }

    @Test
    void whatNeedsVerbsRunsInGuestsAlone() {
        assertTrue(PapersRunner.of(List.of("C-4"), false, false).isEmpty());
        List<PaperRun> runs = PapersRunner.of(List.of("C-4"), false, true);
        assertEquals(List.of(Runs.RENDEZVOUS), runs.stream().map(PaperRun::name).toList());
        assertTrue(runs.get(0)
                .line(false)
                .startsWith("./sluice vm --processors 1 -- ./sluice bench latency --channel ib "));
        for (PaperRun run : Runs.all()) {
            assertEquals(run.arguments(false).contains("ib"), run.isInGuest(), run.name() + " " + run.arguments(false));
        }
    }

    @Test
    void oneFigureHasItsRunsAlone() {
        assertEquals(
                List.of("nqueens"),
                PapersRunner.of(List.of("C-T1"), true, false).stream()
                        .map(PaperRun::name)
                        .toList());
        assertEquals(
                List.of(Runs.COPIES),
                PapersRunner.of(List.of("C-8c"), false, false).stream()
                        .map(PaperRun::name)
                        .toList());
    }
}
