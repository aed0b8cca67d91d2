package org.sluice.hybrid.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.sluice.device.option.Option;
import org.sluice.launch.ClassArchive;
import org.sluice.launch.JavaHome;
import org.sluice.launch.JobServer;

/**
 * The processes of one test: starts ranks as JVMs, prints what they printed when the test fails, ends them all, and
 * fails a test that left a file in the segments' folder or a crash report.
 *
 * <p><i>Thread</i>: the test's. <i>Owns</i>: the job's server, the processes, a folder for segments of its own.
 */
public final class RankJvms implements BeforeEachCallback, AfterEachCallback {
    /** What anything may take here, times what it may take on an idle machine: more in a guest. */
    public static final int PATIENCE = Integer.getInteger("sluice.test.patience", 1);

    private final Map<String, String> options = new HashMap<>();
    private final Map<Integer, Map<String, String>> rankOptions = new HashMap<>();
    private final Map<Integer, List<String>> prefixes = new HashMap<>();
    private final List<RankJvm> started = new ArrayList<>();
    private final Map<Integer, RankJvm> byRank = new HashMap<>();
    private final List<JobServer> servers = new ArrayList<>();
    private final List<String> jvmFlags =
            new ArrayList<>(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    private JavaHome java = JavaHome.current();
    private int jvmRanks = 1;
    private JobServer server;
    private Path reports;
    private Path segments;

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        segments = Files.createTempDirectory(Path.of("/dev/shm"), "sluice-test-");
        reports = Files.createTempDirectory("sluice-process-test-");
        option(Option.SHM_DIR, segments.toString());
    }

    /** Where this test's segments are while they have names. */
    public Path segments() {
        return segments;
    }

    public RankJvms option(Option option, Object value) {
        options.put(option.property(), value.toString());
        return this;
    }

    public RankJvms option(int rank, Option option, Object value) {
        rankOptions.computeIfAbsent(rank, key -> new HashMap<>()).put(option.property(), value.toString());
        return this;
    }

    /** A program that starts the rank's JVM. */
    public RankJvms prefix(int rank, String... command) {
        prefixes.put(rank, List.of(command));
        return this;
    }

    /**
     * With a memory file system of its own in the place of /dev/shm a rank's JVM is on another node, as far as channels
     * go, as in a container.
     */
    public RankJvms apart(int rank) {
        return prefix(
                rank,
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs none /dev/shm && mkdir " + segments + " && exec \"$@\"",
                "sh");
    }

    /** What the ranks that are started from now on run on. */
    public RankJvms java(JavaHome home) {
        java = home;
        return this;
    }

    /** Of each JVM that is started from now on: as many threads of its program are ranks. */
    public RankJvms jvmRanks(int count) {
        jvmRanks = count;
        return this;
    }

    public RankJvms flag(String flag) {
        jvmFlags.add(flag);
        return this;
    }

    /** A new job; the ranks that are started from now on belong to it. */
    public RankJvms job(int size) {
        server = JobServer.start(size);
        servers.add(server);
        byRank.clear();
        return this;
    }

    /** A job whose ranks all run the program. */
    public RankJvms startAll(int size, Class<?> program, String... arguments) throws IOException {
        job(size);
        for (int rank = 0; rank < size; rank += jvmRanks) {
            start(rank, program, arguments);
        }
        return this;
    }

    /**
     * Between a rank that is started afterwards and the job's server.
     *
     * @param step as {@link FrameGate} has it
     */
    public FrameGate gate(int rank, String step) throws IOException {
        String address = Option.JOB_ADDRESS.property();
        FrameGate gate = new FrameGate(server.options(rank, 1).get(address), step);
        option(rank, Option.JOB_ADDRESS, gate.address());
        return gate;
    }

    /** With all that a launcher does at a death. */
    public void killByLauncher(int rank) throws InterruptedException {
        rank(rank).kill();
        server.rankDied(rank);
    }

    /** @param rank the first of the JVM's */
    public RankJvm start(int rank, Class<?> program, String... arguments) throws IOException {
        return start(rank, program.getName(), arguments);
    }

    public RankJvm start(int rank, String program, String... arguments) throws IOException {
        Map<String, String> all = new HashMap<>(server.options(rank, jvmRanks));
        all.putAll(options);
        all.putAll(rankOptions.getOrDefault(rank, Map.of()));
        List<String> command = new ArrayList<>(prefixes.getOrDefault(rank, List.of()));
        command.add(java.command());
        // In a guest, where to load classes takes a JVM several seconds.
        ClassArchive.of(java).ifPresent(archive -> command.addAll(archive.flags()));
        command.addAll(jvmFlags);
        command.add("-XX:ErrorFile=" + reports.resolve("hs_err_%p.log"));
        all.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(reports.toFile())
                .redirectErrorStream(true)
                .start();
        RankJvm jvm = new RankJvm(rank, process);
        started.add(jvm);
        for (int i = 0; i < jvmRanks; i++) {
            byRank.put(rank + i, jvm);
        }
        return jvm;
    }

    /** The JVM that a rank is in. */
    public RankJvm rank(int rank) {
        return byRank.get(rank);
    }

    public JobServer server() {
        return server;
    }

    /** All ranks of the job end by themselves, with status 0. */
    public void allEndWell(long timeoutMs) throws InterruptedException {
        for (int rank : byRank.keySet()) {
            int status = rank(rank).exit(timeoutMs);
            if (status != 0) {
                throw new AssertionError("rank " + rank + " ended with status " + status + "\n"
                        + rank(rank).output());
            }
        }
    }

    public List<Path> segmentFiles() throws IOException {
        try (Stream<Path> files = Files.list(segments)) {
            return files.toList();
        }
    }

    private List<Path> crashReports() throws IOException {
        try (Stream<Path> files = Files.list(reports)) {
            return files.toList();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        boolean failed = context.getExecutionException().isPresent();
        if (failed) {
            started.forEach(jvm -> System.out.println(jvm.output()));
        }
        for (RankJvm jvm : started) {
            jvm.kill();
        }
        servers.forEach(JobServer::close);
        List<Path> left = segmentFiles();
        List<Path> crashes = crashReports();
        for (Path crash : crashes) {
            System.out.println(Files.readString(crash).lines().limit(60).toList());
        }
        delete(segments);
        delete(reports);
        if (!failed && !(left.isEmpty() && crashes.isEmpty())) {
            throw new AssertionError("left behind: " + left + " " + crashes);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
