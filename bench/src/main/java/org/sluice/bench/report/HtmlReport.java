package org.sluice.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All races of a run on one page, with a chart and the table of each, and the records beside it. */
public final class HtmlReport {
    private static final String PAGE = "index.html";
    private static final String RECORDS = "records.json";
    /** What is written into the folder. */
    public static final List<String> FILES = List.of(PAGE, RECORDS);

    private final StringBuilder page = new StringBuilder();
    private final StringBuilder records = new StringBuilder();

    public HtmlReport(Machine machine) {
        page.append("<!DOCTYPE html>\n"
                        + "<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Sluice"
                        + " benchmarks</title></head>\n"
                        + "<body>\n")
                .append("<h1>Sluice benchmarks</h1>\n<p>")
                .append(escaped(machine.toString()))
                .append("</p>\n");
    }

    public void add(Results results) {
        page.append("<h2>")
                .append(results.plan().benchmark().label())
                .append(", ")
                .append(results.plan().route().label())
                .append("</h2>\n")
                .append(chart(results).svg())
                .append("<pre>")
                .append(escaped(new Table(results).toString()))
                .append("</pre>\n");
        results.json().forEach(record -> records.append(record).append('\n'));
    }

    private static Chart chart(Results results) {
        Map<String, Map<Integer, Double>> lines = new LinkedHashMap<>();
        for (String peer : results.peers()) {
            Map<Integer, Double> figures = new LinkedHashMap<>();
            for (int size : results.plan().sizes()) {
                List<Measurement> rounds = results.comparable(peer, size);
                if (!rounds.isEmpty()) {
                    figures.put(
                            size,
                            Comparison.median(rounds.stream()
                                    .mapToDouble(Measurement::value)
                                    .toArray()));
                }
            }
            lines.put(peer, figures);
        }
        return new Chart(results.plan().benchmark().unit(), results.plan().sizes(), lines);
    }

    /** Writes {@code index.html} and {@code records.json}; the folder is made if it isn't there. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(PAGE), page + "</body></html>\n");
        Files.writeString(folder.resolve(RECORDS), records);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
