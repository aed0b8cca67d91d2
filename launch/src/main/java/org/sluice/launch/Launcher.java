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
import java.util.function.UnaryOperator;
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
    /** Null where all ranks are here, or machines are named. */
    private MeetingPlace place;
    /** Null where no machines are named. */
    private List<HostList.Share> hosts;
    /** Of {@link #hosts} those of this machine: names are looked up once. */
    private List<HostList.Share> hostsHere;

    private RemoteShell shell = RemoteShell.ssh();
    private boolean bringsProgram;

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

    /**
     * The job's ranks are spread over these machines, by {@link HostList#shares}; those of other machines are started
     * by a shell there, and watched and ended as if they were here.
     *
     * @param jvmsOfEach the most JVMs on each machine, whose ranks are threads where they are more
     */
    public Launcher hosts(HostList machines, RemoteShell remote, int jvmsOfEach) {
        if (jvmsOfEach < 1) {
            throw new IllegalArgumentException(jvmsOfEach + " JVMs on each machine; 1 or more are allowed");
        }
        hosts = machines.shares(ranks);
        hostsHere = hosts.stream().filter(HostList.Share::isHere).toList();
        shell = Objects.requireNonNull(remote, "remote");
        jvms = jvmsOfEach;
        return this;
    }

    /**
     * Other machines get the program's class path, with what its jars name in their manifests, in a folder that goes
     * with the job. Where they don't have the working folder of the ranks, ranks work in that folder.
     */
    public Launcher bringsProgram(boolean brings) {
        bringsProgram = brings;
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

    /**
     * @throws UncheckedIOException when a process can't be started; those that were are ended first
     * @throws IllegalArgumentException where a machine can take no part
     */
    public RunningJob start() {
        if (survive && hosts != null) {
            throw new IllegalArgumentException("--survive is for one machine: what runs on others ends with its way"
                    + " to the launcher; leave it out, or start their ranks by hand (--listen)");
        }
        List<HostList.Share> shares = hosts == null ? sharesHere() : hosts;
        List<String> others = shares.stream()
                .filter(share -> !sharesHere().contains(share))
                .map(HostList.Share::host)
                .toList();
        // Before anybody is called: it may refuse.
        ProgramCopy copy = others.isEmpty() || !bringsProgram
                ? null
                : ProgramCopy.of(program.classPath(), Path.of(workingFolder()));
        RemoteNodes nodes = others.isEmpty() ? null : RemoteNodes.call(others, shell, sluiceClassPath);
        try {
            return start(shares, nodes, copy);
        } catch (RuntimeException e) {
            if (nodes != null) {
                nodes.close();
            }
            throw e;
        }
    }

    private RunningJob start(List<HostList.Share> shares, RemoteNodes nodes, ProgramCopy copy) {
        String secret = JobSecret.make();
        JobServer server =
                JobServer.start(ranks, nodes == null ? place : MeetingPlace.anywhere(JobSecret.ofText(secret)));
        List<RankProcess> processes = new CopyOnWriteArrayList<>();
        RunningJob job = new RunningJob(server, nodes, processes, graceSeconds, survive, messages);
        job.guard();
        // Once: a build in between must not have ranks of one job start differently.
        Optional<ClassArchive> archive = archive();
        try {
            if (copy != null) {
                nodes.copy(copy);
            }
            if (nodes != null) {
                nodes.meet(server.outerPort(), secret, neededPaths(), java);
            }
            for (HostList.Share share : shares) {
                RemoteNode node = nodes == null ? null : nodes.of(share.host());
                int firstRank = share.firstRank();
                int count = Math.min(jvms, share.ranks());
                for (int jvm = 0; jvm < count; jvm++) {
                    int jvmRanks = share.ranks() / count + (jvm < share.ranks() % count ? 1 : 0);
                    processes.add(
                            node == null
                                    ? startJvm(server, firstRank, jvmRanks, archive)
                                    : startJvm(server, nodes, share.host(), firstRank, jvmRanks));
                    firstRank += jvmRanks;
                }
            }
            for (RankProcess each : processes) {
                if (each instanceof RemoteProcess remote) {
                    remote.awaitStarted();
                }
            }
            if (processes.get(0) instanceof RemoteProcess first && isInputTaken()) {
                nodes.of(shares.get(0).host()).input(first);
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

    /** On each machine: where they aren't, a rank would say so in worse words. */
    private List<String> neededPaths() {
        List<String> paths = new ArrayList<>();
        if (!bringsProgram) {
            paths.add(workingFolder());
        }
        String needed = !bringsProgram ? classPathOfProgram() : dialect == null ? "" : dialect.jars();
        for (String entry : needed.split(File.pathSeparator)) {
            File path = new File(entry).isAbsolute() ? new File(entry) : new File(workingFolder(), entry);
            // What isn't here is no loss there.
            if (path.exists()) {
                paths.add(path.getPath());
            }
        }
        return paths;
    }

    private String workingFolder() {
        return (folder == null ? new File("") : folder).getAbsolutePath();
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
        return ownLoaders || dialect != null && hasThreads();
    }

    /** How many ranks this machine has, of those that are started. */
    public int ranksHere() {
        return sharesHere().stream().mapToInt(HostList.Share::ranks).sum();
    }

    /** In how many JVMs they are. */
    public int jvmsHere() {
        return sharesHere().stream()
                .mapToInt(share -> Math.min(jvms, share.ranks()))
                .sum();
    }

    private List<HostList.Share> sharesHere() {
        return hosts == null ? List.of(new HostList.Share("", 0, here)) : hostsHere;
    }

    /** Whether some JVM has several ranks. */
    private boolean hasThreads() {
        return hosts == null ? jvms < here : hosts.stream().anyMatch(share -> share.ranks() > jvms);
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
        ProcessBuilder builder = new ProcessBuilder(command(firstRank, archive, UnaryOperator.identity()));
        builder.directory(folder);
        builder.environment().putAll(environment);
        builder.environment().putAll(variables(server.options(firstRank, jvmRanks)));
        builder.redirectInput(firstRank == 0 ? input : ProcessBuilder.Redirect.from(new File("/dev/null")));
        return LocalProcess.start(builder, firstRank, jvmRanks, output);
    }

    /** As on this machine, but for the archive of classes, which knows files by their times. */
    private RankProcess startJvm(JobServer server, RemoteNodes nodes, String host, int firstRank, int jvmRanks)
            throws IOException {
        Map<String, String> all = new HashMap<>();
        System.getenv().forEach((name, value) -> {
            if (isForOthers(name)) {
                all.put(name, value);
            }
        });
        all.putAll(environment);
        all.putAll(variables(server.outerOptions(nodes.address(host), firstRank, jvmRanks)));
        boolean reads = firstRank == 0 && isInputTaken();
        RemoteNode.Jvm jvm = new RemoteNode.Jvm(
                firstRank,
                jvmRanks,
                reads,
                workingFolder(),
                command(firstRank, Optional.empty(), classPath -> nodes.classPath(host, classPath)),
                all);
        return nodes.of(host).start(jvm, output.inherits() ? RankOutput.toOwnStreams() : output);
    }

    private boolean isInputTaken() {
        return input == ProcessBuilder.Redirect.INHERIT;
    }

    private static boolean isForOthers(String variable) {
        return variable.startsWith("SLUICE_")
                || variable.startsWith("LC_")
                || List.of("LANG", "TZ", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
                        .contains(variable);
    }

    private static Map<String, String> variables(Map<String, String> options) {
        Map<String, String> variables = new HashMap<>();
        options.forEach((property, value) ->
                variables.put(Option.ofProperty(property).orElseThrow().environmentVariable(), value));
        return variables;
    }

    /** @param placed a class path, as the machine has it on which this is to run */
    private List<String> command(int firstRank, Optional<ClassArchive> archive, UnaryOperator<String> placed) {
        List<String> command = new ArrayList<>(commandPrefix.apply(firstRank));
        command.add(java.command());
        command.addAll(java.flags(jvmOptions, allVariables()));
        archive.ifPresent(ready -> command.addAll(ready.flags()));
        command.addAll(program.jvmFlags());
        for (String option : jvmOptions) {
            command.add(option.replace(RANK, Integer.toString(firstRank)));
        }
        command.add("-cp");
        command.add(placed.apply(classPath(archive)));
        command.add(RankMain.class.getName());
        if (survive) {
            command.add(RankMain.SURVIVE);
        }
        if (hasOwnLoaders()) {
            command.add(RankMain.OWN_LOADERS);
            command.add(placed.apply(classPathOfProgram()));
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
        return command;
    }
}
