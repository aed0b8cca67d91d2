package org.sluice.bench.contestant;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.RankTimes;
import org.sluice.bench.plan.Step;

/**
 * Ranks of ours, in Java or C, that are told what to run: started once, kept for all rounds, idle between their steps.
 *
 * <p><i>Thread</i>: one at a time; {@link #kill} any. <i>Owns</i>: its processes and its work folder. <i>Fails</i>:
 * {@link ContestantFailure}, after which it can only be closed.
 */
final class RankContestant implements Contestant {
    private static final long QUIT_MS = 8_000;
    private static final long END_SEEN_MS = 400;

    private final String peer;
    private final int ranks;
    private final Starter starter;
    private final Cores pinned;
    private volatile List<Running> processes = List.of();
    private RankConnections connections;
    private volatile boolean killed;
    private boolean healthy;
    private boolean closed;

    /** @param pinned cores by rank; none for no pinning */
    RankContestant(String peer, int ranks, Starter starter, Cores pinned) {
        this.peer = peer;
        this.ranks = ranks;
        this.starter = starter;
        this.pinned = pinned;
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void start(long timeoutMs) throws ContestantFailure {
        try {
            connections = new RankConnections(starter.harness(), ranks, this::allAlive);
            Map<String, String> environment = new HashMap<>(connections.environment());
            environment.put("BENCH_CORES", pinned.toString());
            synchronized (starter) {
                if (killed) {
                    throw new ContestantFailure(peer + " was not started: the harness is being ended");
                }
                processes = starter.start(environment);
            }
            connections.accept(timeoutMs);
            starter.ranksAreReady();
            healthy = true;
        } catch (IOException e) {
            throw failure("did not start: " + e.getMessage(), e);
        }
    }

    private boolean allAlive() {
        return processes.stream().allMatch(Running::isAlive);
    }

    @Override
    public Timing timing() {
        return Timing.BATCHES;
    }

    @Override
    public long[] run(Step step, long timeoutMs) throws ContestantFailure {
        List<String> answers = ask(step.encode(), timeoutMs);
        if (!step.benchmark().isCollective()) {
            return numbers(answers.get(0), step);
        }
        long[][] ofRanks = new long[answers.size()][];
        for (int rank = 0; rank < ofRanks.length; rank++) {
            ofRanks[rank] = numbers(answers.get(rank), step);
        }
        return RankTimes.combined(ofRanks);
    }

    private long[] numbers(String line, Step step) throws ContestantFailure {
        String[] words = line.split(" ");
        if (words.length != step.samples() + 1) {
            throw failure(
                    "answered " + (words.length - 1) + " numbers where " + step.samples() + " were asked for", null);
        }
        return Arrays.stream(words, 1, words.length).mapToLong(Long::parseLong).toArray();
    }

    @Override
    public long[] compilerMs(long timeoutMs) throws ContestantFailure {
        return byProcess("COMPILERS", timeoutMs).values().stream()
                .mapToLong(Long::longValue)
                .toArray();
    }

    @Override
    public long processorNs(long timeoutMs) throws ContestantFailure {
        return byProcess("PROCESSOR", timeoutMs).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** What ranks answer, a number and their process: those that are threads of one process all tell of that. */
    private Map<String, Long> byProcess(String question, long timeoutMs) throws ContestantFailure {
        Map<String, Long> numbers = new TreeMap<>();
        for (String answer : ask(question, timeoutMs)) {
            String[] words = answer.split(" ");
            numbers.merge(words[2], Long.parseLong(words[1]), Math::max);
        }
        return numbers;
    }

    @Override
    public void collectGarbage(long timeoutMs) throws ContestantFailure {
        ask("GC", timeoutMs);
    }

    private List<String> ask(String line, long timeoutMs) throws ContestantFailure {
        List<String> answers;
        try {
            answers = connections.ask(line, timeoutMs);
        } catch (IOException e) {
            throw failure("failed at '" + line + "': " + e.getMessage(), e);
        }
        for (int rank = 0; rank < answers.size(); rank++) {
            if (!answers.get(rank).startsWith("OK")) {
                throw failure("failed at '" + line + "': rank " + rank + " answered " + answers.get(rank), null);
            }
        }
        return answers;
    }

    private ContestantFailure failure(String what, Exception cause) {
        healthy = false;
        // Who ended says why, and the ones that still run are only its victims; an end may take a moment to be seen.
        processes.forEach(process -> process.awaitEnd(END_SEEN_MS));
        boolean allRun = allAlive();
        StringBuilder message = new StringBuilder(peer + " " + what);
        for (Running process : processes) {
            if (allRun || !process.isAlive()) {
                message.append("\n  process: ").append(process.report());
            }
        }
        return new ContestantFailure(message.toString(), cause);
    }

    @Override
    public void kill() {
        // A start that is under way would leave processes that nobody knows of.
        synchronized (starter) {
            killed = true;
            processes.forEach(Running::kill);
            starter.close();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (healthy) {
            try {
                connections.ask("QUIT", QUIT_MS);
            } catch (IOException e) {
                // It is ended below in any case.
            }
        }
        if (connections != null) {
            connections.close();
        }
        long end = System.currentTimeMillis() + (healthy ? QUIT_MS : 0);
        for (Running process : processes) {
            if (!process.awaitEnd(Math.max(1, end - System.currentTimeMillis()))) {
                process.kill();
            }
        }
        starter.close();
    }
}
