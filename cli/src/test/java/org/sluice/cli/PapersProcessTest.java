package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.launch.JavaHome;

/** Two small figures from end to end: their records, the report, and what a browser shows of it. */
@Tag("once")
@Timeout(180)
final class PapersProcessTest {
    private static final long END_S = 150;
    private static final Pattern VALUE = Pattern.compile("data-value=\"([^\"]*)\"");

    @TempDir
    private static Path folder;

    private static Path report;
    private static String said;

    @BeforeAll
    static void measure() throws Exception {
        report = folder.resolve("report");
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command()));
        command.addAll(JavaHome.current().flags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("bench", "papers", "--quick", "--only", "C-T1,E-3.2", "--report", report.toString()));
        Path output = folder.resolve("output");
        said = run(command, output);
    }

    private static String run(List<String> command, Path output) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(END_S, TimeUnit.SECONDS), () -> command + " doesn't end");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertEquals(0, process.exitValue(), text);
        return text;
    }

    private static List<String> values(String page, String panel) {
        String from = page.substring(page.indexOf("<figure id=\"" + panel + "\""));
        List<String> values = new ArrayList<>();
        Matcher matcher = VALUE.matcher(from.substring(0, from.indexOf("</figure>")));
        while (matcher.find()) {
            values.add(String.format(Locale.ROOT, "%.6f", Double.parseDouble(matcher.group(1))));
        }
        return values;
    }

    /** Medians over the solutions of one rank and of two, as this test reads them by itself. */
    private static List<String> seconds() throws Exception {
        List<String> medians = new ArrayList<>();
        for (int ranks = 1; ranks <= 2; ranks++) {
            Pattern seconds = Pattern.compile("\"ranks\":" + ranks + ",.*\"mean\":([0-9.Ee-]+)");
            double[] found = Files.readAllLines(report.resolve("records/nqueens.jsonl")).stream()
                    .map(seconds::matcher)
                    .filter(Matcher::find)
                    .mapToDouble(matcher -> Double.parseDouble(matcher.group(1)))
                    .sorted()
                    .toArray();
            assertEquals(5, found.length, Arrays.toString(found));
            medians.add(String.format(Locale.ROOT, "%.6f", found[2]));
        }
        return medians;
    }

    @Test
    void thePageHasWhatRecordsSay() throws Exception {
        assertTrue(said.contains("[1/2] nqueens for C-11, C-T1, C-12; about 20 s left"), said);
        assertTrue(said.trim().endsWith(report.resolve("index.html").toString()), said);
        assertEquals(seconds(), values(Files.readString(report.resolve("index.html")), "C-T1-seconds"));
        for (String name : List.of("report.md", "report.csv", "C-T1-seconds.svg", "C-T1-seconds.png", "runs.jsonl")) {
            assertTrue(Files.size(report.resolve(name)) > 0, name);
        }
    }

    @Test
    void aBrowserShowsIt() throws Exception {
        Optional<Path> browser = Stream.of(System.getenv("PATH").split(":"))
                .flatMap(folder -> Stream.of(Path.of(folder, "chromium"), Path.of(folder, "google-chrome")))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(browser.isPresent(), "no chromium here: apt install chromium");
        String shown = run(
                List.of(
                        browser.get().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + folder.resolve("browser"),
                        "--dump-dom",
                        report.resolve("index.html").toUri().toString()),
                folder.resolve("dom"));
        assertEquals(seconds(), values(shown, "C-T1-seconds"));
        assertTrue(shown.contains("<svg") && shown.contains("id=\"not-drawn\""), shown);
    }
}
