package org.sluice.bench.papers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What records say of the papers' figures, written as a page, as Markdown, as a table of numbers, and as pictures. It
 * may be written again whenever there are more records.
 *
 * <p><i>Thread</i>: one at a time.
 */
public final class PapersReport {
    private static final String PEERS = "--peers";

    private final ReportFolder folder;
    /** Drawn already, by what is in them: a picture takes longer than all else. */
    private final Map<String, Map.Entry<String, String>> drawn = new HashMap<>();

    /** By panel, why it has none. */
    private final Map<String, String> withoutPicture = new TreeMap<>();

    private List<Outcome> outcomes = List.of();
    private Map<String, List<RunRecord>> records = Map.of();

    public PapersReport(ReportFolder folder) {
        this.folder = folder;
    }

    /** From what is in the folder now. */
    public synchronized void write() throws IOException {
        outcomes = folder.outcomes();
        records = folder.records();
        Map<Figure, List<PanelPoints>> figures = new LinkedHashMap<>();
        for (Figure figure : Figures.all()) {
            List<PanelPoints> panels = figure.panels().stream()
                    .map(panel -> new PanelPoints(panel, records))
                    .filter(points -> !points.isEmpty())
                    .toList();
            if (!panels.isEmpty()) {
                figures.put(figure, panels);
            }
        }
        Map<String, String> pictures = new HashMap<>();
        for (List<PanelPoints> panels : figures.values()) {
            for (PanelPoints points : panels) {
                pictures.put(points.panel().id(), picture(points));
            }
        }
        folder.write("report.csv", new PapersText(this, figures).csv());
        folder.write("report.md", new PapersText(this, figures).markdown());
        folder.write(ReportFolder.PAGE, new PapersPage(this, figures, pictures).html());
    }

    private String picture(PanelPoints points) throws IOException {
        Panel panel = points.panel();
        String content = points.curves().stream()
                .map(curve -> curve.label()
                        + points.places().stream()
                                .map(place -> place + points.at(curve, place))
                                .toList())
                .collect(Collectors.joining());
        Map.Entry<String, String> before = drawn.get(panel.id());
        if (before != null && before.getKey().equals(content)) {
            return before.getValue();
        }
        String picture = draw(points);
        if (!picture.isEmpty()) {
            drawn.put(panel.id(), Map.entry(content, picture));
        }
        return picture;
    }

    /** Empty where it can't be: a JVM may have no fonts, or no classes for pictures. */
    private String draw(PanelPoints points) throws IOException {
        try {
            PaperChart chart = new PaperChart(points);
            String svg = chart.svg();
            folder.write(points.panel().id() + ".svg", svg);
            folder.write(points.panel().id() + ".png", chart.png());
            withoutPicture.remove(points.panel().id());
            return svg;
        } catch (LinkageError | InternalError e) {
            return without(points, e + "; it wants a JVM with fonts (apt install fontconfig fonts-dejavu-core)");
        } catch (RuntimeException e) {
            return without(points, e.toString());
        }
    }

    private String without(PanelPoints points, String why) {
        withoutPicture.put(points.panel().id(), why);
        return "";
    }

    boolean hasPicture(Panel panel) {
        return !withoutPicture.containsKey(panel.id());
    }

    List<Outcome> outcomes() {
        return outcomes;
    }

    /** Of all records; more than one if they are of several. */
    List<String> machines() {
        return new ArrayList<>(new TreeSet<>(records.values().stream()
                .flatMap(List::stream)
                .map(RunRecord::machine)
                .toList()));
    }

    /** Runs of a figure that took place. */
    List<Outcome> outcomesOf(Figure figure) {
        return outcomes.stream()
                .filter(outcome -> figure.runs().contains(outcome.run()))
                .toList();
    }

    /** Those of some panel; none if one of its runs was on a machine that had other work. */
    List<String> verdicts(PanelPoints points) {
        boolean isBusy = outcomes.stream()
                .anyMatch(outcome -> outcome.isOnABusyMachine()
                        && points.curves().stream()
                                .anyMatch(curve -> curve.runs().contains(outcome.run())));
        return isBusy ? List.of("The machine had other work, so nothing is said of who is ahead.") : points.verdicts();
    }

    /** Runs that didn't go well, and contestants of which there is nothing, each with the reason. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        withoutPicture.forEach((panel, why) -> missing.add("the picture of " + panel + ": " + why));
        for (Outcome outcome : outcomes) {
            if (!outcome.isGood()) {
                missing.add(outcome.run() + " " + outcome.end());
            }
            List<String> words = Arrays.asList(outcome.command().split(" "));
            int at = words.indexOf(PEERS);
            for (String peer : at < 0 ? new String[0] : words.get(at + 1).split(",")) {
                if (records.getOrDefault(outcome.run(), List.of()).stream()
                        .noneMatch(record -> record.text("peer").equals(peer))) {
                    missing.add(outcome.run() + ", " + peer + ": " + reason(outcome.run(), peer));
                }
            }
        }
        return missing;
    }

    /** Figures of which there is nothing, as they or what they need were not run. */
    List<String> notRun() {
        return Figures.all().stream()
                .flatMap(figure -> figure.panels().stream())
                .filter(panel -> new PanelPoints(panel, records).isEmpty())
                .map(Panel::id)
                .toList();
    }

    private String reason(String run, String peer) {
        try {
            return folder.output(run).stream()
                    .filter(line -> line.startsWith(peer + " ") || line.startsWith(peer + ":"))
                    .findFirst()
                    .orElse("no record, and no word why; see output/" + run + ".txt");
        } catch (IOException e) {
            return "no record";
        }
    }
}
