package org.sluice.bench.papers;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.sluice.bench.contestant.ChildProcess;

/**
 * Has one benchmark after the other measured, each in a process of its own, and the report written again after each: so
 * whatever ends it, what was measured is there.
 *
 * <p><i>Thread</i>: one that runs; any may stop it. <i>Owns</i>: the process that measures.
 */
public final class PapersRunner {
    private static final long LOOK_MS = 500;
    private static final double SECOND_NS = 1e9;
    private static final int LIMIT_LEAST_S = 300;
    /** So many times as long as it should take. */
    private static final int LIMIT_TIMES = 5;

    private static final int MINUTE_S = 60;

    private final ReportFolder folder;
    private final boolean isQuick;
    private final List<PaperRun> runs;
    private final List<String> bench;
    private final Guest guest;
    private final PrintWriter err;
    private final PapersReport report;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean stopping;
    private volatile ChildProcess running;
    private double taken;
    private double expected;

    /**
     * @param figures of which the runs are made, by id
     * @param bench the words that start {@code bench}, to which its arguments are added
     * @param guest where what needs verbs runs; null to leave that out
     * @param err gets what is going on
     */
    public PapersRunner(
            ReportFolder folder,
            boolean isQuick,
            Collection<String> figures,
            List<String> bench,
            Guest guest,
            PrintWriter err) {
        this.folder = folder;
        this.isQuick = isQuick;
        this.bench = bench;
        this.guest = guest;
        this.err = err;
        runs = of(figures, isQuick, guest != null);
        report = new PapersReport(folder);
    }

    /**
     * Those that a run with these figures has.
     *
     * @param withGuest also what needs verbs
     */
    public static List<PaperRun> of(Collection<String> figures, boolean isQuick, boolean withGuest) {
        List<String> wanted = Figures.all().stream()
                .filter(figure -> figures.contains(figure.id()))
                .flatMap(figure -> figure.runs().stream())
                .toList();
        int cores = Runtime.getRuntime().availableProcessors();
        return Runs.all().stream()
                .map(run -> run.forCores(cores))
                .filter(run -> wanted.contains(run.name())
                        && !run.arguments(isQuick).isEmpty()
                        && (withGuest || !run.isInGuest()))
                .toList();
    }

    /**
     * Until all have run, or it is stopped.
     *
     * @return whether all went well
     * @throws IOException if there is no room for what was measured
     */
    public boolean run() throws IOException {
        boolean isGood = true;
        try {
            folder.create();
            for (int i = 0; i < runs.size() && !stopping; i++) {
                say(i);
                Outcome outcome = measure(runs.get(i));
                isGood &= outcome.isGood();
                if (!outcome.isGood()) {
                    err.println("  " + outcome.run() + " " + outcome.end());
                }
                folder.append(outcome);
                report.write();
            }
        } finally {
            end.countDown();
        }
        return isGood && !stopping;
    }

    private void say(int number) {
        PaperRun run = runs.get(number);
        double left = runs.subList(number, runs.size()).stream()
                .mapToInt(each -> each.seconds(isQuick))
                .sum();
        double pace = expected == 0 ? 1 : taken / expected;
        long seconds = Math.round(left * pace);
        err.println("[" + (number + 1) + "/" + runs.size() + "] " + run.name() + " for "
                + Figures.all().stream()
                        .filter(figure -> figure.runs().contains(run.name()))
                        .map(Figure::id)
                        .collect(Collectors.joining(", "))
                + "; about "
                + (seconds < 2 * MINUTE_S ? seconds + " s" : Math.round((double) seconds / MINUTE_S) + " min")
                + " left");
        err.flush();
    }

    private Outcome measure(PaperRun run) {
        double busy = busy();
        ProcessorTime before = ProcessorTime.now();
        long begin = System.nanoTime();
        String ended = ended(run);
        double seconds = (System.nanoTime() - begin) / SECOND_NS;
        taken += seconds;
        expected += run.seconds(isQuick);
        return new Outcome(
                run.name(), line(run), ended, seconds, busy, ProcessorTime.now().stealSince(before));
    }

    /** As somebody would type it. */
    private String line(PaperRun run) {
        String general = String.join(
                " ", run.isInGuest() ? guest.more() : bench.subList(bench.indexOf("bench") + 1, bench.size()));
        return run.line(isQuick) + (general.isEmpty() ? "" : " " + general);
    }

    private static double busy() {
        ProcessorTime before = ProcessorTime.now();
        try {
            Thread.sleep(LOOK_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ProcessorTime.now().busySince(before);
    }

    /** @return nothing if it went well */
    private String ended(PaperRun run) {
        int limit = Math.max(LIMIT_LEAST_S, LIMIT_TIMES * run.seconds(isQuick));
        Path records = folder.recordsOf(run.name());
        Path written = run.isInGuest() ? guest.recordsOf(run.name()) : records;
        List<String> command = new ArrayList<>(run.isInGuest() ? guest.bench(run.processors(), limit) : bench);
        command.addAll(run.arguments(isQuick));
        command.add("--json");
        command.add(written.toString());
        try (BufferedWriter output = Files.newBufferedWriter(folder.outputOf(run.name()))) {
            String ended = ended(command, limit, output);
            if (run.isInGuest() && Files.exists(written)) {
                Files.copy(written, records, StandardCopyOption.REPLACE_EXISTING);
                Files.delete(written);
            }
            return ended;
        } catch (IOException | UncheckedIOException e) {
            return "could not be measured: " + e.getMessage();
        }
    }

    private String ended(List<String> command, int limit, BufferedWriter output) throws IOException {
        ChildProcess child = ChildProcess.start(command, Map.of(), null, line -> write(output, line));
        running = child;
        if (stopping) {
            child.kill();
        }
        boolean isOver = child.awaitEnd(TimeUnit.SECONDS.toMillis(limit));
        if (!isOver) {
            child.kill();
        }
        running = null;
        if (stopping) {
            return "was interrupted";
        }
        if (!isOver) {
            return "did not end within " + limit + " s, and was ended";
        }
        return child.exitStatus() == 0 ? "" : "ended with " + child.report().replace('\n', ' ');
    }

    /** What is printed is only to be looked at: if there is no room for it, the rest goes on. */
    private static void write(BufferedWriter output, String line) {
        try {
            synchronized (output) {
                output.write(line);
                output.newLine();
                output.flush();
            }
        } catch (IOException e) {
            // The records, for which there may be no room either, tell of that.
        }
    }

    /** Ends what is measured now, and waits until what was measured is written. */
    public void stop(long patienceMs) throws InterruptedException {
        stopping = true;
        ChildProcess child = running;
        if (child != null) {
            child.kill();
        }
        end.await(patienceMs, TimeUnit.MILLISECONDS);
    }
}
