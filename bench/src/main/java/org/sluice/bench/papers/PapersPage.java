package org.sluice.bench.papers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report as one page that needs nothing else. */
final class PapersPage {
    static final String HOW_TO_READ =
            "A figure is the median of rounds in which the cores were equally near, with their"
                    + " quartiles and how many rounds there were in brackets. Ahead and behind is said only if the"
                    + " quartiles of both leave a gap and each has five rounds of one race. Two starts of one program"
                    + " may differ by a tenth. Numbers of the papers are of the papers' own hardware, and are no bar.";

    private static final Map<String, String> PAPERS = Map.of(
            "A", "A: ibvdev, 2011",
            "B", "B: ibdev, 2014",
            "C", "C: Charm++ on uGNI, 2012",
            "D", "D: message coalescing, 2007",
            "E", "E: Javia, 1999");

    private final PapersReport report;
    private final Map<Figure, List<PanelPoints>> figures;
    private final Map<String, String> pictures;
    private final StringBuilder page = new StringBuilder();

    /** @param pictures by panel's id */
    PapersPage(PapersReport report, Map<Figure, List<PanelPoints>> figures, Map<String, String> pictures) {
        this.report = report;
        this.figures = figures;
        this.pictures = pictures;
    }

    String html() throws IOException {
        page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        + "<meta name=\"color-scheme\" content=\"light dark\">\n"
                        + "<title>The figures of five papers, measured again</title>\n<style>\n")
                .append(style())
                .append("</style></head>\n<body><main>\n<h1>The figures of five papers, measured again</h1>\n");
        report.machines().forEach(machine -> paragraph("machine", machine));
        paragraph("", HOW_TO_READ);
        busy();
        contents();
        String paper = "";
        for (Map.Entry<Figure, List<PanelPoints>> each : figures.entrySet()) {
            String letter = each.getKey().id().substring(0, 1);
            if (!letter.equals(paper)) {
                page.append("<h2>").append(PAPERS.get(letter)).append("</h2>\n");
                paper = letter;
            }
            figure(each.getKey(), each.getValue());
        }
        list("missing", "Missing", report.missing());
        list("not-run", "Not in this run", report.notRun());
        notDrawn();
        runs();
        return page.append("</main></body></html>\n").toString();
    }

    private static String style() throws IOException {
        try (InputStream in = PapersPage.class.getResourceAsStream("page.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void busy() {
        List<String> runs = report.outcomes().stream()
                .filter(Outcome::isOnABusyMachine)
                .map(Outcome::run)
                .toList();
        if (!runs.isEmpty()) {
            paragraph(
                    "warning",
                    "The machine had other work, or its host had, during " + String.join(", ", runs)
                            + ". Figures of these runs say little.");
        }
    }

    private void contents() {
        page.append("<nav>");
        figures.keySet()
                .forEach(figure -> page.append("<a href=\"#")
                        .append(figure.id())
                        .append("\">")
                        .append(figure.id())
                        .append("</a> "));
        page.append("</nav>\n");
    }

    private void figure(Figure figure, List<PanelPoints> panels) {
        page.append("<section id=\"")
                .append(figure.id())
                .append("\"><h3>")
                .append(figure.id())
                .append(". ")
                .append(escaped(figure.title()))
                .append("</h3>\n");
        paragraph("", figure.note());
        for (PanelPoints points : panels) {
            panel(points);
        }
        if (!figure.numbers().isEmpty()) {
            page.append("<div class=\"wide\"><table class=\"paper\"><caption>What the paper says, of its own hardware"
                    + "</caption>\n");
            figure.numbers()
                    .forEach(number -> page.append("<tr><th scope=\"row\">")
                            .append(escaped(number.what()))
                            .append("</th><td>")
                            .append(escaped(number.value()))
                            .append("</td></tr>\n"));
            page.append("</table></div>\n");
        }
        page.append("<p class=\"command\">");
        report.outcomesOf(figure)
                .forEach(outcome ->
                        page.append("<code>").append(escaped(outcome.command())).append("</code>\n"));
        page.append("</p></section>\n");
    }

    private void panel(PanelPoints points) {
        Panel panel = points.panel();
        String title = escaped(panel.title() + ", " + panel.unit());
        page.append("<figure id=\"")
                .append(panel.id())
                .append("\"><figcaption>")
                .append(title);
        for (String kind : List.of("svg", "png")) {
            page.append(" <a href=\"")
                    .append(panel.id())
                    .append('.')
                    .append(kind)
                    .append("\">")
                    .append(kind)
                    .append("</a>");
        }
        page.append("</figcaption>\n")
                .append(picture(panel, title))
                .append("<div class=\"wide\"><table>\n<tr><th>")
                .append(escaped(panel.axisLabel()))
                .append("</th>");
        points.curves()
                .forEach(curve -> page.append("<th scope=\"col\">")
                        .append(escaped(curve.label()))
                        .append("</th>"));
        page.append("</tr>\n");
        for (String place : points.places()) {
            page.append("<tr><th scope=\"row\">").append(escaped(place)).append("</th>");
            points.curves().forEach(curve -> cell(points.at(curve, place)));
            page.append("</tr>\n");
        }
        page.append("</table></div>\n<ul class=\"verdicts\">");
        report.verdicts(points)
                .forEach(verdict -> page.append("<li>").append(escaped(verdict)).append("</li>\n"));
        page.append("</ul></figure>\n");
    }

    private String picture(Panel panel, String title) {
        String picture = pictures.get(panel.id());
        return picture.isEmpty() ? "" : PaperChart.inPage(picture, panel.id().replace('.', '-'), title);
    }

    private void cell(Point point) {
        if (point == null) {
            page.append("<td></td>");
            return;
        }
        page.append("<td data-value=\"")
                .append(point.median())
                .append("\"><b>")
                .append(Point.text(point.median()))
                .append("</b>");
        if (point.rounds() > 1) {
            page.append(" <small>[")
                    .append(Point.text(point.low()))
                    .append(' ')
                    .append(Point.text(point.high()))
                    .append("; ")
                    .append(point.rounds())
                    .append(point.state().isEmpty() ? "" : " " + point.state())
                    .append("]</small>");
        }
        page.append("</td>");
    }

    private void list(String id, String title, List<String> items) {
        if (!items.isEmpty()) {
            page.append("<section id=\"")
                    .append(id)
                    .append("\"><h2>")
                    .append(title)
                    .append("</h2><ul>\n");
            items.forEach(item -> page.append("<li>").append(escaped(item)).append("</li>\n"));
            page.append("</ul></section>\n");
        }
    }

    private void notDrawn() {
        page.append("<section id=\"not-drawn\"><h2>Not drawn</h2>\n<div class=\"wide\"><table>\n");
        for (NotDrawn each : Figures.notDrawn()) {
            page.append("<tr><th scope=\"row\">")
                    .append(each.ids())
                    .append("</th><td class=\"words\">")
                    .append(escaped(each.why()));
            if (!each.command().isEmpty()) {
                page.append("<br><code>").append(escaped(each.command())).append("</code>");
            }
            page.append("</td></tr>\n");
        }
        page.append("</table></div></section>\n");
    }

    private void runs() {
        page.append(
                "<section id=\"runs\"><h2>Runs</h2>\n<p>Their records are in <code>records</code>, what they printed"
                        + " in <code>output</code>. Before each, others took a share of the processors; meanwhile the"
                        + " host kept some time for itself (steal).</p>\n<div class=\"wide\"><table>\n<tr>"
                        + "<th>command</th><th>seconds</th><th>others before</th><th>steal</th></tr>\n");
        for (Outcome outcome : report.outcomes()) {
            page.append(String.format(
                    Locale.ROOT,
                    "<tr><th scope=\"row\"><a href=\"records/%s.jsonl\">%s</a> <a href=\"output/%s.txt\">output</a><br>"
                            + "<code>%s</code></th><td>%.0f</td><td>%.0f %%</td><td>%.0f %%</td></tr>%n",
                    outcome.run(),
                    outcome.run(),
                    outcome.run(),
                    escaped(outcome.command()),
                    outcome.seconds(),
                    outcome.busy(),
                    outcome.steal()));
        }
        page.append("</table></div></section>\n");
    }

    private void paragraph(String kind, String text) {
        page.append("<p")
                .append(kind.isEmpty() ? "" : " class=\"" + kind + "\"")
                .append('>')
                .append(escaped(text))
                .append("</p>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
