package org.sluice.bench.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page has what records say, and says what is missing. */
final class PapersReportTest {
    @TempDir
    private Path place;

    private ReportFolder folder;

    @BeforeEach
    void make() throws Exception {
        folder = new ReportFolder(place);
        folder.create();
    }

    private void race() throws Exception {
        List<String> lines = new ArrayList<>();
        lines.addAll(Rounds.latency("sluice", 8).of("p50", 80, 82, 84, 86, 88, 90, 92));
        lines.addAll(Rounds.latency("sluice", 8).with("state", "far").of("p50", 400, 400));
        lines.addAll(Rounds.latency("sluice", 1024).of("p50", 150, 151, 152, 153, 154, 155, 156));
        lines.addAll(Rounds.latency("openmpi", 8).of("p50", 100, 101, 102, 103, 104, 105, 106));
        lines.addAll(Rounds.latency("openmpi", 1024).of("p50", 149, 150, 151, 153, 156, 158, 160));
        lines.add("{\"benchmark\":\"latency\",\"pe");
        Files.write(folder.recordsOf("latency-shm"), lines);
    }

    private static Outcome outcome(double busy) {
        return new Outcome("latency-shm", "./sluice bench latency --peers openmpi,mpich --seconds 1", "", 10, busy, 0);
    }

    private String page() throws Exception {
        new PapersReport(folder).write();
        return Files.readString(folder.page());
    }

    @Test
    void figuresAreMediansOfTheStateThatStandsForThem() throws Exception {
        race();
        folder.append(outcome(0));
        String page = page();
        String panel = page.substring(page.indexOf("<figure id=\"A-11-latency\""));
        panel = panel.substring(0, panel.indexOf("</figure>"));
        assertEquals(List.of("0.086", "0.103", "0.153", "0.153"), values(panel), panel);
        assertTrue(panel.contains("Sluice, processes, beside Open MPI: ahead at 8 B; not told apart at 1 KB"), panel);
        assertTrue(page.contains("&lt;cpu>, 2 cores"), page);
        String csv = Files.readString(place.resolve("report.csv"));
        assertTrue(
                csv.contains("A-11,A-11-latency,this machine,\"Sluice, processes\",8 B,µs,"
                        + "0.0860000,0.0820000,0.0900000,7,near"),
                csv);
        assertTrue(csv.contains("A-11,,the paper's,\"ibvdev, start-up latency\",,,6 µs,"), csv);
        String markdown = Files.readString(place.resolve("report.md"));
        assertTrue(markdown.contains("| 8 B | 0.0860 [0.0820 0.0900; 7] | 0.103 [0.101 0.105; 7] |"), markdown);
        assertTrue(page.contains("E-1-latency") && values(page).contains("0.172"), "Javia's figure is the round trip");
    }

    /** As memory is, of which there are no rounds: two numbers have no spread that could tell them apart. */
    @Test
    void nothingIsSaidOfWhatWasCountedOnce() throws Exception {
        List<String> lines = new ArrayList<>();
        lines.addAll(Rounds.latency("sluice", 8).of("p50", 80));
        lines.addAll(Rounds.latency("openmpi", 8).of("p50", 100));
        Files.write(folder.recordsOf("latency-shm"), lines);
        folder.append(outcome(0));
        String page = page();
        assertTrue(values(page).contains("0.080"), page);
        assertFalse(page.contains("beside Open MPI:"), page);
    }

    private static List<String> values(String html) {
        List<String> values = new ArrayList<>();
        Matcher matcher = Pattern.compile("data-value=\"([^\"]*)\"").matcher(html);
        while (matcher.find()) {
            values.add(String.format(java.util.Locale.ROOT, "%.3f", Double.parseDouble(matcher.group(1))));
        }
        return values;
    }

    @Test
    void picturesAreBesideThePageAndInIt() throws Exception {
        race();
        folder.append(outcome(0));
        String page = page();
        Path svg = place.resolve("A-11-latency.svg");
        for (String text : new String[] {
            Files.readString(svg), page.substring(page.indexOf("<svg"), page.indexOf("</svg>") + "</svg>".length())
        }) {
            var factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            assertTrue(factory.newDocumentBuilder()
                            .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                            .getElementsByTagName("path")
                            .getLength()
                    > 4);
        }
        assertEquals(
                640, ImageIO.read(place.resolve("A-11-latency.png").toFile()).getWidth());
    }

    @Test
    void whatIsMissingIsSaid() throws Exception {
        race();
        Files.writeString(folder.outputOf("latency-shm"), "mpich: not installed\n");
        folder.append(outcome(0));
        folder.append(new Outcome("nqueens", "./sluice bench nqueens", "was interrupted", 3, 0, 0));
        String page = page();
        assertTrue(page.contains("<li>latency-shm, mpich: mpich: not installed</li>"), page);
        assertTrue(page.contains("<li>nqueens was interrupted</li>"), page);
        assertTrue(page.contains("<li>C-10-k1</li>"), "what was not run is listed");
        assertFalse(page.contains("<figure id=\"C-10-k1\""));
    }

    @Test
    void nothingIsClaimedOfABusyMachine() throws Exception {
        race();
        folder.append(outcome(60));
        String page = page();
        assertTrue(page.contains("class=\"warning\">The machine had other work"), page);
        assertFalse(page.contains("ahead at"), page);
    }

    @Test
    void speedupIsOverOneRank() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int ranks = 1; ranks <= 2; ranks++) {
            lines.addAll(new ArrayList<>(Rounds.latency("sluice", 0)
                    .with("benchmark", "nqueens")
                    .with("state", "")
                    .with("ranks", ranks)
                    .with("n", 12)
                    .with("usefulNs", List.of(30, 30))
                    .with("idleNs", List.of(10, 0))
                    .with("overheadNs", List.of(0, 30))
                    .of("mean", ranks == 1 ? 3 : 2)));
        }
        Files.write(folder.recordsOf("nqueens"), lines);
        String page = page();
        String speedup = page.substring(page.indexOf("<figure id=\"C-11-speedup\""), page.indexOf("id=\"C-T1\""));
        assertEquals(List.of("1.500"), values(speedup), speedup);
        String shares = page.substring(page.indexOf("<figure id=\"C-12-shares\""));
        assertEquals(List.of("60.000", "10.000", "30.000"), values(shares.substring(0, shares.indexOf("</figure>"))));
    }
}
