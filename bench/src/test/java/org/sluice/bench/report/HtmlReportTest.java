package org.sluice.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.VerbsUse;

final class HtmlReportTest {

    @TempDir
    private Path folder;

    @Test
    void aPageHoldsAChartATableAndRecords() throws Exception {
        BenchPlan plan = new BenchPlan(
                Benchmark.LATENCY,
                Route.SHM,
                Api.BLOCKING,
                BufferKind.ARRAY,
                2,
                List.of(8, 1024),
                0,
                0,
                true,
                List.of("limit"),
                false,
                false,
                0,
                1,
                1,
                VerbsUse.CHOSEN);
        Results results = new Results(plan, new Machine("<cpu>", 2, "6", "17"), true);
        for (String peer : new String[] {"sluice", "limit"}) {
            results.add(
                    Measurement.of(peer, Benchmark.LATENCY, 8, 1, 60, 60, new long[] {200}, new long[] {200}, 1, 1));
        }
        results.sortHops();
        HtmlReport report = new HtmlReport(results.machine());
        report.add(results);
        report.write(folder.resolve("new"));
        String page = Files.readString(folder.resolve("new/index.html"));
        assertTrue(page.contains("&lt;cpu>") && page.contains("latency, shm") && page.contains("0.100"), page);
        String svg = page.substring(page.indexOf("<svg"), page.indexOf("</svg>") + "</svg>".length());
        var root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new java.io.ByteArrayInputStream(svg.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .getDocumentElement();
        assertEquals(2, root.getElementsByTagName("polyline").getLength(), "a line for each contestant");
        assertEquals(2, root.getElementsByTagName("circle").getLength(), "a point for each figure that there is");
        assertEquals(2, Files.readAllLines(folder.resolve("new/records.json")).size());
    }
}
