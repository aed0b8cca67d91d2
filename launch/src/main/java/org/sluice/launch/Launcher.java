package org.sluice.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Says what job to start, and starts it: N ranks of a program on this machine, as N JVMs or as fewer whose ranks are
 * threads.
 *
 * <p>Thread: one; what {@link #start()} returns may be used by any.
 *
 * <p>Fails: {@link #start()} throws and leaves no process behind.
 *
 * <p>Proof: {@code LauncherProcessTest}.
 */
public final class Launcher {
    private static final int DEFAULT_GRACE_SECONDS = 10;
    /** In an option of the JVM. */
    private static final String RANK = "{rank}";

    private final int ranks;
    private final Program program;
    private int jvms;
    private JavaHome java = JavaHome.current();
    private String sluiceClassPath = System.getProperty("java.class.path");
    private List<String> jvmOptions = List.of();
    private List<String> arguments = List.of();
    private final Map<String, String> environment = new HashMap<>();
    private IntFunction<List<String>> commandPrefix = firstRank -> List.of();
    private RankOutput output = RankOutput.inherit();
    private ProcessBuilder.Redirect input = ProcessBuilder.Redirect.from(new File("/dev/null"));
    private Consumer<String> messages = line -> System.err.println("sluice: " + line);
    private int graceSeconds = DEFAULT_GRACE_SECONDS;
    private boolean survive;
    private boolean ownLoaders;
    private File folder;
    /** Null where the program speaks none, or keeps its own. */
    private MpiDialect dialect;
    /** Null where all ranks are here. */
    private MeetingPlace place;

    private int here;

    public Launcher(int ranks, Program program) {
        long most = Option.JOB_SIZE.most();
        if (ranks < 1 || ranks > most) {
            throw new IllegalArgumentException("a job of " + ranks + " ranks; 1 to " + most + " are allowed");
        }
        this.ranks = ranks;
        this.jvms = ranks;
        this.here = ranks;
        this.program = Objects.requireNonNull(program, "program");
    }

    /**
     * With fewer JVMs than ranks the ranks of a JVM are threads; the first JVMs get one more where it does not divide
     * evenly. After {@link #listen}.
     */
    public Launcher jvms(int count) {
        if (count < 1 || count > here) {
            throw new IllegalArgumentException(count + " JVMs for " + here + " ranks; 1 to " + here + " are allowed");
        }
        jvms = count;
        return this;
    }

    /**
     * Ranks on other nodes take part: they come to this place by themselves, and are not watched.
     *
     * @param ranksHere how many are started on this machine, from rank 0 on
     */
    public Launcher listen(MeetingPlace meetingPlace, int ranksHere) {
        if (ranksHere < 1 || ranksHere > ranks) {
            throw new IllegalArgumentException(
                    "--here " + ranksHere + ": 1 to " + ranks + " ranks of the job may be started here");
        }
        place = Objects.requireNonNull(meetingPlace, "meetingPlace");
        here = ranksHere;
        jvms = ranksHere;
        return this;
    }

    public Launcher java(JavaHome home) {
        java = Objects.requireNonNull(home, "home");
        return this;
    }

    /**
     * Where ranks find Sluice itself, behind the program's own class path; this JVM's class path unless set. Where
     * there is an archive of Sluice's own classes, they stand first.
     */
    public Launcher sluiceClassPath(String classPath) {
        sluiceClassPath = Objects.requireNonNull(classPath, "classPath");
        return this;
    }

    /**
     * Behind Sluice's own flags, so that they win where both speak of the same. In each JVM's {rank} is its (first)
     * rank.
     */
    public Launcher jvmOptions(List<String> options) {
        jvmOptions = List.copyOf(options);
        return this;
    }

    public Launcher arguments(List<String> programArguments) {
        arguments = List.copyOf(programArguments);
        return this;
    }

    public Launcher environment(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Words before each JVM's command, by its first rank: for instance taskset -c 0. */
    public Launcher commandPrefix(IntFunction<List<String>> prefixOfFirstRank) {
        commandPrefix = Objects.requireNonNull(prefixOfFirstRank, "prefixOfFirstRank");
        return this;
    }

    public Launcher output(RankOutput handling) {
        output = Objects.requireNonNull(handling, "handling");
        return this;
    }

    /** Of the JVM of rank 0; the others read nothing. Nothing is read anywhere unless this is set. */
    public Launcher input(ProcessBuilder.Redirect redirect) {
        input = Objects.requireNonNull(redirect, "redirect");
        return this;
    }

    /**
     * Takes what the launcher itself has to say, line by line, on one thread; standard error unless set. The job
     * doesn't wait for it.
     */
    public Launcher messages(Consumer<String> lines) {
        messages = Objects.requireNonNull(lines, "lines");
        return this;
    }

    /** How long ranks may go on after one died, until they get SIGTERM. */
    public Launcher graceSeconds(int seconds) {
        if (seconds < 0) {
            throw new IllegalArgumentException("a grace of " + seconds + " seconds; it must be 0 or more");
        }
        graceSeconds = seconds;
        return this;
    }

    /** Ranks live on when another, or the launcher, dies. */
    public Launcher survive(boolean liveOn) {
        survive = liveOn;
        return this;
    }

    /** Each rank loads the program's classes for itself, so that ranks in one JVM share no static state. */
    public Launcher ownLoaders(boolean apart) {
        ownLoaders = apart;
        return this;
    }

    /** The working folder of the ranks, by which the class path is read too; this JVM's unless set. */
    public Launcher folder(Path existing) {
        if (!Files.isDirectory(existing)) {
            throw new IllegalArgumentException("there is no folder " + existing + " that ranks could work in");
        }
        folder = existing.toFile();
        return this;
    }

    /**
     * The program gets this dialect of MPI. Ranks that are threads load it for themselves, as it has static state: they
     * have loaders of their own.
     */
    public Launcher dialect(MpiDialect spoken) {
        dialect = Objects.requireNonNull(spoken, "spoken");
        return this;
    }

    /**
     * Looks before the start at what each rank would refuse: values of options, and the program's main method.
     *
     * @return the options that ranks will have
     * @throws IllegalArgumentException with what is wrong
     */
    public Options check() {
        LaunchCheck.mainClass(program.withClassPath(classPathOfProgram()), java, jvmOptions);
        return LaunchCheck.options(jvmOptions, allVariables());
    }

    private Map<String, String> allVariables() {
        Map<String, String> all = new HashMap<>(System.getenv());
        all.putAll(environment);
        return all;
    }

    /** @throws UncheckedIOException when a process can't be started; those that were are ended first */
    public RunningJob start() {
        JobServer server = JobServer.start(ranks, place);
        List<RankProcess> processes = new CopyOnWriteArrayList<>();
        RunningJob job = new RunningJob(server, processes, graceSeconds, survive, messages);
        job.guard();
        // Once: a build in between must not have ranks of one job start differently.
        Optional<ClassArchive> archive = archive();
        try {
            int firstRank = 0;
            for (int jvm = 0; jvm < jvms; jvm++) {
                int jvmRanks = here / jvms + (jvm < here % jvms ? 1 : 0);
                processes.add(startJvm(server, firstRank, jvmRanks, archive));
                firstRank += jvmRanks;
            }
        } catch (IOException | RuntimeException e) {
            processes.forEach(RankProcess::endNow);
            job.unguard();
            server.close();
            throw e instanceof IOException io
                    ? new UncheckedIOException("a rank can't be started: " + io.getMessage(), io)
                    : (RuntimeException) e;
        }
        job.supervise();
        return job;
    }

    private Optional<ClassArchive> archive() {
        boolean wanted = ClassArchive.isWelcome(jvmOptions, allVariables()) && !ClassArchive.isBroughtBy(program);
        return wanted ? ClassArchive.of(java, isShared() ? dialect : null) : Optional.empty();
    }

    /** Whether there is a dialect in the loader of the JVM's class path. */
    private boolean isShared() {
        return dialect != null && !dialect.jars().isEmpty() && !hasOwnLoaders();
    }

    private boolean hasOwnLoaders() {
        return ownLoaders || dialect != null && jvms < here;
    }

    private String classPathOfProgram() {
        return dialect == null ? program.classPath() : dialect.classPath(program.classPath());
    }

    private String classPath(Optional<ClassArchive> archive) {
        List<String> paths = new ArrayList<>();
        archive.ifPresent(ready -> paths.add(ready.classPath()));
        if (!hasOwnLoaders()) {
            boolean isThere = archive.isPresent() && archive.get().hasDialect();
            paths.add(isThere ? program.classPath() : classPathOfProgram());
        } else if (!program.above().isEmpty()) {
            paths.add(program.above());
        }
        paths.add(sluiceClassPath);
        return ClassArchive.join(paths);
    }

    private RankProcess startJvm(JobServer server, int firstRank, int jvmRanks, Optional<ClassArchive> archive)
            throws IOException {
        List<String> command = new ArrayList<>(commandPrefix.apply(firstRank));
        command.add(java.command());
        command.addAll(java.flags(jvmOptions, allVariables()));
        archive.ifPresent(ready -> command.addAll(ready.flags()));
        command.addAll(program.jvmFlags());
        for (String option : jvmOptions) {
            command.add(option.replace(RANK, Integer.toString(firstRank)));
        }
        command.add("-cp");
        command.add(classPath(archive));
        command.add(RankMain.class.getName());
        if (survive) {
            command.add(RankMain.SURVIVE);
        }
        if (hasOwnLoaders()) {
            command.add(RankMain.OWN_LOADERS);
            command.add(classPathOfProgram());
        }
        if (dialect != null && !dialect.device().isEmpty()) {
            command.add(RankMain.DEVICE);
            command.add(dialect.device());
        }
        List<String> hidden =
                NestedJars.of(program.classPath(), program.mainClass()).hidden();
        if (!hidden.isEmpty()) {
            command.add(RankMain.HIDDEN);
            command.add(String.join(",", hidden));
        }
        command.add(program.mainClass());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(folder);
        builder.environment().putAll(environment);
        server.options(firstRank, jvmRanks)
                .forEach((property, value) -> builder.environment()
                        .put(Option.ofProperty(property).orElseThrow().environmentVariable(), value));
        builder.redirectInput(firstRank == 0 ? input : ProcessBuilder.Redirect.from(new File("/dev/null")));
        return RankProcess.start(builder, firstRank, jvmRanks, output);
    }
}
