package org.sluice.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.sluice.bench.papers.Figure;
import org.sluice.bench.papers.Figures;
import org.sluice.bench.papers.Guest;
import org.sluice.bench.papers.PapersReport;
import org.sluice.bench.papers.PapersRunner;
import org.sluice.bench.papers.ReportFolder;
import org.sluice.bench.papers.RunComparison;
import org.sluice.launch.JavaHome;

/**
 * {@code ./sluice bench papers}: starts each benchmark as this command was started, and ends it if this JVM is ended.
 */
final class PapersSession {
    /** Exit status of {@code --compare} if something became slower. */
    static final int SLOWER = 3;

    private static final long PATIENCE_MS = 20_000;

    private final PrintWriter out;
    private final PrintWriter err;

    PapersSession(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /**
     * @param only figures with commas between; null for all
     * @throws IllegalArgumentException if there is no such figure, or nothing that would be run for it
     */
    static List<String> figures(String only, boolean isQuick, boolean withVm) {
        List<String> known = Figures.all().stream().map(Figure::id).toList();
        if (only == null) {
            return known;
        }
        List<String> asked =
                Arrays.stream(only.split(",")).map(String::trim).distinct().toList();
        for (String each : asked) {
            if (!known.contains(each)) {
                throw new IllegalArgumentException("--only '" + only + "': there is no figure '" + each
                        + "'; there are " + String.join(", ", known));
            }
            if (PapersRunner.of(List.of(each), isQuick, withVm).isEmpty()) {
                throw new IllegalArgumentException("--only '" + only + "': " + each + " is not measured "
                        + (withVm
                                        || PapersRunner.of(List.of(each), isQuick, true)
                                                .isEmpty()
                                ? "with --quick; leave that out"
                                : "without an adapter; add --with-vm for a guest that has one"));
            }
        }
        return asked;
    }

    /**
     * @param java the JDK of ranks; null for a guest's own
     * @throws IllegalArgumentException if there is no checkout
     */
    static Guest guest(String java) {
        String home = System.getProperty("sluice.home");
        if (home == null || !Files.isRegularFile(Path.of(home, "tools/vm/image.sh"))) {
            throw new IllegalArgumentException(
                    "--with-vm: guests boot with the scripts of a checkout: run ./sluice in" + " one, or leave it out");
        }
        return new Guest(
                Path.of(home, "sluice"),
                Path.of(home, ".build/vm/out"),
                java == null ? List.of() : List.of("--java", java));
    }

    /** @throws IllegalArgumentException if there is already something in it */
    static void checkIsNew(Path report) {
        if (new ReportFolder(report).hasRecords()) {
            throw new IllegalArgumentException("--report '" + report + "' has an earlier run; name another folder, or"
                    + " have its page made again with --from '" + report + "'");
        }
    }

    /**
     * @param java the JDK of ranks; null for this one
     * @param guest for what needs verbs; null to leave that out
     */
    int measure(Path report, List<String> figures, boolean isQuick, String java, Guest guest) throws IOException {
        ReportFolder folder = new ReportFolder(report.toAbsolutePath());
        PapersRunner runner = new PapersRunner(folder, isQuick, figures, bench(java), guest, err);
        Thread hook = new Thread(() -> end(runner), "papers-end");
        Runtime.getRuntime().addShutdownHook(hook);
        boolean isGood;
        try {
            isGood = runner.run();
        } catch (IOException e) {
            throw new IOException(
                    e.getMessage() + ": is there room? What was measured is in '" + report + "'; --from '" + report
                            + "' makes its page again",
                    e);
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM is on its way out, and runs it.
            }
        }
        out.println(folder.page());
        out.flush();
        return isGood ? 0 : 1;
    }

    private static void end(PapersRunner runner) {
        try {
            runner.stop(PATIENCE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> bench(String java) {
        JavaHome home = JavaHome.current();
        List<String> words = new ArrayList<>(List.of(home.command()));
        words.addAll(home.flags(List.of(), System.getenv()));
        for (Map.Entry<Object, Object> each : System.getProperties().entrySet()) {
            String name = each.getKey().toString();
            if (name.startsWith("sluice.") && !name.equals(Terminal.PROPERTY)) {
                words.add("-D" + name + "=" + each.getValue());
            }
        }
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "bench"));
        if (java != null) {
            words.addAll(List.of("--java", java));
        }
        return words;
    }

    int again(Path from) throws IOException {
        ReportFolder folder = new ReportFolder(from.toAbsolutePath());
        if (!folder.hasRecords()) {
            throw new IllegalArgumentException("--from '" + from + "' has no records; name a folder of --report");
        }
        new PapersReport(folder).write();
        out.println(folder.page());
        out.flush();
        return 0;
    }

    int compare(Path before, Path after) throws IOException {
        RunComparison comparison = RunComparison.of(before, after);
        out.print(comparison);
        out.flush();
        return comparison.isGood() ? 0 : SLOWER;
    }
}
