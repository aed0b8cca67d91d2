package org.sluice.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.sluice.cli.top.Top;
import org.sluice.cli.top.WatchedJobs;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what the ranks of this user on this machine are at. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description =
                "Show what the ranks of this user on this machine send and wait for, anew each second, until they have"
                        + " ended.",
        footer = {
            "",
            "It has each JVM that Sluice lives in load an agent, which answers over a socket in a folder of this"
                    + " user's own, until this ends.",
            "Exit status: 0; 1 when no rank with an open device was found."
        })
final class TopCommand implements Callable<Integer> {
    private static final int LEAST_MS = 10;
    private static final int SECOND_MS = 1000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--once", description = "One table, of what went in one interval.")
    private boolean once;

    @Option(names = "--peers", description = "A row for each peer of each rank; else one for each channel.")
    private boolean peers;

    @Option(
            names = "--dump",
            description = "Print, once, which requests of each rank wait for whom, instead of a table.")
    private boolean dump;

    @Option(
            names = "--interval",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seconds between tables. Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Parameters(
            paramLabel = "PID",
            description = "Only these processes. Default: all of this user in which Sluice lives.")
    private Set<Long> pids = Set.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(seconds * SECOND_MS >= LEAST_MS)) {
            throw new ParameterException(
                    spec.commandLine(), "--interval " + seconds + " is too short: 0.01 s or more is allowed");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (WatchedJobs jobs = new WatchedJobs(pids)) {
            boolean found = dump
                    ? dump(jobs, out)
                    : new Top(jobs, peers, Math.round(seconds * SECOND_MS), out, err).run(once, Terminal.OUT.isThere());
            if (found) {
                return CommandLine.ExitCode.OK;
            }
            List<String> silent = jobs.silent("can't be asked");
            silent.forEach(err::println);
            err.flush();
            if (!silent.isEmpty()) {
                return CommandLine.ExitCode.SOFTWARE;
            }
        }
        err.println("sluice: no job runs: no process " + numbers() + "of user " + System.getProperty("user.name")
                + " on this machine has an open device; call this where the ranks "
                + "run (the same machine and container), as the user who started them");
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    private String numbers() {
        List<String> sorted = pids.stream().sorted().map(String::valueOf).toList();
        return sorted.isEmpty()
                ? ""
                : (sorted.size() == 1 ? "with the number " : "with one of the numbers ") + String.join(", ", sorted)
                        + " ";
    }

    private boolean dump(WatchedJobs jobs, PrintWriter out) throws IOException, InterruptedException {
        List<String> texts = jobs.dumps();
        texts.forEach(out::print);
        out.flush();
        PrintWriter err = spec.commandLine().getErr();
        jobs.silent("is not shown").forEach(err::println);
        err.flush();
        return !texts.isEmpty();
    }
}
