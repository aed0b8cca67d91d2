package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.sluice.device.option.Option;
import org.sluice.launch.JavaHome;

/**
 * A launcher in a process of its own, its ranks, and what is done to them; all drawn from a seed. <i>Thread</i>: the
 * test's.
 */
public final class DisturbedJob implements AutoCloseable {
    private static final long PATIENCE_S = 120;
    private static final int SECONDS = 3;
    private static final List<String> COLLECTORS = List.of("Serial", "Parallel", "G1", "Z", "Shenandoah");
    /** Of each option what is drawn, its default among them. */
    private static final Map<Option, List<String>> OPTIONS = new TreeMap<>(Map.of(
            Option.CHANNELS, List.of("auto", "auto", "shm"),
            Option.OS, List.of("on", "on", "off"),
            Option.PROGRESS_THREADS, List.of("0", "0", "1", "2"),
            Option.EAGER_LIMIT, List.of("-1", "0", "1000"),
            Option.EAGER_SHARE, List.of("4m", "4096"),
            Option.SHM_CMA, List.of("auto", "off"),
            Option.SHM_RING_CELLS, List.of("-1", "64"),
            Option.WAIT_SPIN_US, List.of("-1", "0"),
            Option.WAIT_YIELD_US, List.of("-1", "0")));

    /** What is done to one process at a random moment. */
    public enum Disturbance {
        NONE,
        RANK_STOPPED,
        LAUNCHER_STOPPED,
        RANK_STOPPED_AND_KILLED,
        RANK_KILLED,
        LAUNCHER_KILLED,
        ALL_STOPPED;

        public boolean isDeadly() {
            return this == RANK_KILLED || this == LAUNCHER_KILLED || this == RANK_STOPPED_AND_KILLED;
        }
    }

    private final String description;
    private final int ranks;
    private final int jvms;
    private final Path work;
    private final Path segments;
    private final Process launcher;
    private final ProcessGroup group;

    private DisturbedJob(String description, int ranks, int jvms, Path work, Path segments, Process launcher) {
        this.description = description;
        this.ranks = ranks;
        this.jvms = jvms;
        this.work = work;
        this.segments = segments;
        this.launcher = launcher;
        group = new ProcessGroup(launcher);
    }

    public static DisturbedJob start(long seed, Random random, Path folder) throws Exception {
        int ranks = 2 + random.nextInt(3);
        int jvms = Math.max(1, ranks - random.nextInt(3));
        int messages = 20 + random.nextInt(100);
        String second = System.getProperty("sluice.test.second.jdk", "");
        JavaHome java = second.isEmpty() || random.nextBoolean() ? JavaHome.current() : JavaHome.of(Path.of(second));
        List<String> collectors = collectorsOf(java);
        String collector = "-XX:+Use" + collectors.get(random.nextInt(collectors.size())) + "GC";
        Path work = Files.createTempDirectory(folder, "job-");
        Path segments = Files.createTempDirectory(Path.of("/dev/shm"), "sluice-test-");
        List<String> command = new ArrayList<>(List.of(
                "setsid",
                "env",
                "--default-signal=INT",
                JavaHome.current().command(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "org.sluice.launch.DisturbedLauncher",
                java.home().toString(),
                Integer.toString(ranks),
                Integer.toString(jvms),
                collector,
                work.toString(),
                Long.toString(seed),
                Integer.toString(messages),
                Integer.toString(SECONDS)));
        Map<String, String> options = new TreeMap<>();
        OPTIONS.forEach((option, values) -> {
            String value = values.get(random.nextInt(values.size()));
            if (!value.equals(values.get(0))) {
                options.put(option.environmentVariable(), value);
            }
        });
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("output").toFile());
        builder.environment().putAll(options);
        builder.environment().put(Option.SHM_DIR.environmentVariable(), segments.toString());
        String description = "seed " + seed + ": " + ranks + " ranks in " + jvms + " JVMs of Java " + java.feature()
                + " with " + collector + ", " + messages + " messages a round, " + options;
        return new DisturbedJob(description, ranks, jvms, work, segments, builder.start());
    }

    private static List<String> collectorsOf(JavaHome java) throws Exception {
        List<String> found = new ArrayList<>();
        for (String collector : COLLECTORS) {
            if (hasCollector(java, collector)) {
                found.add(collector);
            }
        }
        return found;
    }

    static boolean hasCollector(JavaHome java, String collector) throws Exception {
        Process trial = new ProcessBuilder(java.command(), "-XX:+Use" + collector + "GC", "-version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return trial.waitFor() == 0;
    }

    public int ranks() {
        return ranks;
    }

    public void awaitBegun() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (count("begun") < ranks) {
            assertTrue(launcher.isAlive(), "the job ended early");
            assertTrue(System.nanoTime() < deadline, "the job did not begin");
            Thread.sleep(20);
        }
    }

    /** @return false: there was nobody left to whom it could be done */
    public boolean disturb(Disturbance disturbance, Random random) throws Exception {
        long pauseMs = random.nextInt(3000);
        int chosen = random.nextInt(jvms);
        List<ProcessHandle> rankJvms = launcher.descendants()
                .filter(each -> each.info().command().orElse("").endsWith("/java"))
                .toList();
        if (!launcher.isAlive() || rankJvms.size() < jvms) {
            return false;
        }
        long rank = rankJvms.get(chosen).pid();
        return switch (disturbance) {
            case NONE -> true;
            case RANK_STOPPED -> signal("STOP", rank) && pause(pauseMs) && signal("CONT", rank);
            case LAUNCHER_STOPPED -> signal("STOP", launcher.pid()) && pause(pauseMs) && signal("CONT", launcher.pid());
            case ALL_STOPPED -> signal("STOP", -launcher.pid()) && pause(pauseMs) && signal("CONT", -launcher.pid());
            case RANK_STOPPED_AND_KILLED -> signal("STOP", rank) && pause(pauseMs) && signal("KILL", rank);
            case RANK_KILLED -> signal("KILL", rank);
            case LAUNCHER_KILLED -> signal("KILL", launcher.pid());
        };
    }

    private static boolean pause(long ms) throws InterruptedException {
        Thread.sleep(ms);
        return true;
    }

    private static boolean signal(String name, long whom) throws Exception {
        return new ProcessBuilder("kill", "-" + name, "--", Long.toString(whom))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /**
     * Waits until the launcher and all ranks are gone.
     *
     * @return the launcher's status
     */
    public int end() throws Exception {
        assertTrue(launcher.waitFor(PATIENCE_S, TimeUnit.SECONDS), "the launcher lives on");
        for (ProcessHandle each : group.members()) {
            each.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
        }
        return launcher.exitValue();
    }

    public void assertNothingIsLeft() throws IOException {
        assertEquals(List.of(), filesIn(segments), "left in the segments' folder");
        assertEquals(List.of(work.resolve("output")), filesIn(work), "crash reports and other files");
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    /** How many lines begin so, whichever rank said it. */
    public long count(String beginning) throws IOException {
        return Arrays.stream(output().split("\n"))
                .filter(line -> line.startsWith(beginning))
                .count();
    }

    public String output() throws IOException {
        return Files.readString(work.resolve("output"));
    }

    @Override
    public String toString() {
        return description;
    }

    @Override
    public void close() throws Exception {
        group.endAll();
        for (Path folder : List.of(segments, work)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
