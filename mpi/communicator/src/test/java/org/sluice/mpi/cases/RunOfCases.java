package org.sluice.mpi.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;
import org.sluice.launch.RunningJob;

/** A job that has gone through the table, and what each of its ranks has found. */
public final class RunOfCases {
    /** A guest has an emulated processor. */
    private static final long PATIENCE_MS = 60_000L * Integer.getInteger("sluice.test.patience", 1);

    private final int ranks;
    private final Map<String, Map<Integer, String>> found = new HashMap<>();

    /** Of what a job has printed, all its ranks' lines. */
    public RunOfCases(int ranks, Collection<String> lines) {
        this.ranks = ranks;
        for (String line : lines) {
            String[] words = line.split("\t", -1);
            if (words[0].equals("case")) {
                found.computeIfAbsent(words[2], name -> new TreeMap<>()).put(Integer.parseInt(words[1]), words[3]);
            }
        }
    }

    /** A job on its way. */
    public static final class Started {
        private final int ranks;
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();
        private final RunningJob job;

        private Started(String channels, int ranks, int jvms, String main, String... args) {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), main);
            this.ranks = ranks;
            this.job = new Launcher(ranks, program)
                    .jvms(jvms)
                    .ownLoaders(jvms < ranks)
                    .jvmOptions(List.of("-Dsluice.channels=" + channels))
                    .arguments(List.of(args))
                    .graceSeconds(0)
                    .messages(lines::add)
                    .output(RankOutput.captured((rank, error, line) -> lines.add(line)))
                    .start();
        }

        private void stopLate() {
            try {
                Thread.sleep(PATIENCE_MS);
                lines.add("stopped, as it was not over after " + PATIENCE_MS + " ms");
                job.stop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** When it has ended, and well. */
        public RunOfCases await() throws InterruptedException {
            Thread guard = new Thread(this::stopLate);
            guard.setDaemon(true);
            guard.start();
            int status = job.waitFor().status();
            guard.interrupt();
            List<String> others = new ArrayList<>(lines);
            others.removeIf(line -> line.startsWith("case\t"));
            List<String> last =
                    lines.stream().skip(Math.max(0, lines.size() - 3 * ranks)).collect(Collectors.toList());
            assertEquals(0, status, () -> others + ", after " + last);
            return new RunOfCases(ranks, lines);
        }
    }

    /** Starts a program that calls {@link MpiCase#printAll}; ranks of one JVM have loaders of their own. */
    public static Started start(int ranks, int jvms, String main, String... args) {
        return new Started("auto", ranks, jvms, main, args);
    }

    /** As {@link #start}, of processes that reach each other over verbs alone. */
    public static Started startOverVerbs(int ranks, String main) {
        return new Started("ib", ranks, ranks, main);
    }

    /** What each rank has to find, and what it has found if that is something else; empty if all is right. */
    public List<String> differences(MpiCase of) {
        Map<Integer, String> byRank = found.getOrDefault(of.toString(), Map.of());
        List<String> differences = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            String expected = of.expected(rank, ranks);
            String actual = byRank.getOrDefault(rank, "nothing");
            if (!expected.equals(actual)) {
                differences.add("rank " + rank + " of " + ranks + ": expected " + expected + ", found " + actual);
            }
        }
        return differences;
    }
}
