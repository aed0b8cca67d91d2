package org.sluice.bench.papers;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report for programs and for those who read Markdown. */
final class PapersText {
    private final PapersReport report;
    private final Map<Figure, List<PanelPoints>> figures;

    PapersText(PapersReport report, Map<Figure, List<PanelPoints>> figures) {
        this.report = report;
        this.figures = figures;
    }

    /** A line for each point of each curve, and one for each number of the papers. */
    String csv() {
        StringBuilder csv = new StringBuilder(
                "figure,panel,hardware,curve,place,unit,median,lower quartile,upper quartile,rounds,state\n");
        figures.forEach((figure, panels) -> {
            for (PanelPoints points : panels) {
                for (Curve curve : points.curves()) {
                    for (String place : points.places()) {
                        Point point = points.at(curve, place);
                        if (point != null) {
                            line(
                                    csv,
                                    figure.id(),
                                    points.panel().id(),
                                    "this machine",
                                    curve.label(),
                                    place,
                                    points.panel().unit(),
                                    number(point.median()),
                                    number(point.low()),
                                    number(point.high()),
                                    Integer.toString(point.rounds()),
                                    point.state());
                        }
                    }
                }
            }
            figure.numbers()
                    .forEach(number -> line(
                            csv,
                            figure.id(),
                            "",
                            "the paper's",
                            number.what(),
                            "",
                            "",
                            number.value(),
                            "",
                            "",
                            "",
                            ""));
        });
        return csv.toString();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6g", value);
    }

    private static void line(StringBuilder csv, String... fields) {
        for (int i = 0; i < fields.length; i++) {
            csv.append(i == 0 ? "" : ",")
                    .append(
                            fields[i].matches("(?s).*[\",\n].*")
                                    ? '"' + fields[i].replace("\"", "\"\"") + '"'
                                    : fields[i]);
        }
        csv.append('\n');
    }

    String markdown() {
        StringBuilder text = new StringBuilder("# The figures of five papers, measured again\n\n");
        report.machines().forEach(machine -> text.append(machine).append("\n\n"));
        text.append(PapersPage.HOW_TO_READ).append("\n\n");
        figures.forEach((figure, panels) -> append(text, figure, panels));
        list(text, "Missing", report.missing());
        list(text, "Not in this run", report.notRun());
        text.append("## Not drawn\n\n| figures | why | command |\n| --- | --- | --- |\n");
        for (NotDrawn each : Figures.notDrawn()) {
            text.append(String.format(
                    "| %s | %s | %s |%n",
                    each.ids(), each.why(), each.command().isEmpty() ? "" : "`" + each.command() + "`"));
        }
        text.append("\n## Runs\n\n| command | seconds | others' share before | steal | |\n"
                + "| --- | --- | --- | --- | --- |\n");
        for (Outcome outcome : report.outcomes()) {
            text.append(String.format(
                    Locale.ROOT,
                    "| `%s` | %.0f | %.0f %% | %.0f %% | %s |%n",
                    outcome.command(),
                    outcome.seconds(),
                    outcome.busy(),
                    outcome.steal(),
                    outcome.end().replace("|", "\\|")));
        }
        return text.toString();
    }

    private void append(StringBuilder text, Figure figure, List<PanelPoints> panels) {
        text.append("## ")
                .append(figure.id())
                .append(": ")
                .append(figure.title())
                .append("\n\n");
        text.append(figure.note()).append("\n\n");
        for (PanelPoints points : panels) {
            Panel panel = points.panel();
            text.append("### ")
                    .append(panel.title())
                    .append(", ")
                    .append(panel.unit())
                    .append("\n\n");
            if (report.hasPicture(panel)) {
                text.append("![")
                        .append(panel.title())
                        .append("](")
                        .append(panel.id())
                        .append(".svg)\n\n");
            }
            text.append("| ").append(panel.axisLabel());
            points.curves().forEach(curve -> text.append(" | ").append(curve.label()));
            text.append(" |\n|")
                    .append(" --- |".repeat(points.curves().size() + 1))
                    .append('\n');
            for (String place : points.places()) {
                text.append("| ").append(place);
                for (Curve curve : points.curves()) {
                    Point point = points.at(curve, place);
                    text.append(" | ").append(point == null ? "" : point);
                }
                text.append(" |\n");
            }
            text.append('\n');
            report.verdicts(points)
                    .forEach(verdict -> text.append("- ").append(verdict).append('\n'));
            text.append('\n');
        }
        if (!figure.numbers().isEmpty()) {
            text.append("| of the paper's own hardware | |\n| --- | --- |\n");
            figure.numbers()
                    .forEach(number -> text.append("| ")
                            .append(number.what())
                            .append(" | ")
                            .append(number.value())
                            .append(" |\n"));
            text.append('\n');
        }
    }

    private static void list(StringBuilder text, String title, List<String> items) {
        if (!items.isEmpty()) {
            text.append("## ").append(title).append("\n\n");
            items.forEach(item -> text.append("- ").append(item).append('\n'));
            text.append('\n');
        }
    }
}
