package org.sluice.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.sluice.cli.dialect.Dialects;
import org.sluice.device.option.Options;
import org.sluice.hybrid.device.OpeningOptions;
import org.sluice.launch.HostList;
import org.sluice.launch.JavaHome;
import org.sluice.launch.Job;
import org.sluice.launch.Launcher;
import org.sluice.launch.MeetingPlace;
import org.sluice.launch.Program;
import org.sluice.launch.RankList;
import org.sluice.launch.RankOutput;
import org.sluice.launch.RemoteShell;
import org.sluice.launch.RoomForRanks;
import org.sluice.launch.SluiceJar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Starts a job on this machine or several, or the part of one that lives here. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Start N ranks of a program on this machine, or several.",
        customSynopsis = "sluice run -n N [OPTIONS] [JVM options] (-jar X | -cp CP MAIN) [args]%n",
        footer = {
            "",
            "In JVM options {rank} is the rank (the first of a JVM that holds several):"
                    + " -XX:StartFlightRecording:filename=of-{rank}.jfr.",
            "",
            "Standard input goes to rank 0. If one rank dies the rest are told, get the grace, then "
                    + "SIGTERM and SIGKILL.",
            "",
            "In one of several processes of mpirun, or of a step of srun, it starts nothing: those start ranks"
                    + " themselves, by java or ./sluice exec (docs/how-to/slurm-and-mpirun.md).",
            "",
            "Exit status: 0 when every rank ended with 0, else that of the rank that is the cause (128 + n for "
                    + "signal n); "
                    + "2 when the command line is wrong."
        })
final class RunCommand implements Callable<Integer> {
    private static final String OF_THE_JVM =
            "JVM options (-Xmx2g) stand behind Sluice's own and before -jar or -cp; those that Sluice doesn't know go"
                    + " into the environment, as JDK_JAVA_OPTIONS";

    @Spec
    private CommandSpec spec;

    @Option(names = "-n", paramLabel = "N", description = "Ranks of the job (-np is the same).")
    private Integer ranks;

    /** An option of its own: as a second name it would be the one that errors speak of. */
    @Option(names = "-np", paramLabel = "N", hidden = true)
    private Integer ranksAsInMpi;

    @Option(
            names = "--jvms",
            paramLabel = "M",
            description = "Start only M JVMs (with --hosts: on each machine); the ranks of each are threads. Default: a"
                    + " JVM for each rank.")
    private Integer jvms;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where ranks that are started elsewhere find the job: an address of this machine. They need"
                    + " SLUICE_JOB_ADDRESS, _SECRET_FILE, _SIZE and _RANK; this command needs the secret's file"
                    + " too.")
    private String listen;

    @Option(
            names = "--here",
            paramLabel = "K",
            description =
                    "With --listen, start only the ranks 0 to K-1; the others come from elsewhere. " + "Default: N.")
    private Integer here;

    @Option(
            names = "--hosts",
            paramLabel = "FILE",
            description = "Spread the ranks over the machines in FILE, one a line: name [slots=N]; started by ssh. Of"
                    + " machines without slots each takes an even share.")
    private Path hosts;

    @Option(names = "--host", paramLabel = "LIST", description = "The same, named here: a:4,b:4, or a,b.")
    private String host;

    @Option(
            names = "--ssh",
            paramLabel = "COMMAND",
            description = "With --hosts or --host: what takes a machine and a command as ssh does. Default: ssh.")
    private String ssh;

    @Option(
            names = "--copy",
            description = "With --hosts or --host: bring the program's class path to the other machines, in a folder"
                    + " that goes with the job; without it a program's files are at the same place on each.")
    private boolean copy;

    @Option(
            names = "--prefix",
            description = "Begin every line of output with its rank: [3], or [4-7] for the ranks of one JVM.")
    private boolean prefix;

    @Option(
            names = "--grace",
            paramLabel = "S",
            defaultValue = "10",
            description = "Seconds that the others have after a rank died, until SIGTERM. Default: ${DEFAULT-VALUE}.")
    private int graceSeconds;

    @Option(names = "--survive", description = "Let the others live on when a rank (or this launcher) dies.")
    private boolean survive;

    @Option(
            names = "--own-loaders",
            description = "Give each rank its own class loader, so that ranks in one JVM share no static state of "
                    + "the program.")
    private boolean ownLoaders;

    @Option(
            names = "--mpi",
            paramLabel = "DIALECT",
            defaultValue = Dialects.AUTO,
            description = "Dialect of the package mpi that the program gets: mpijava (MPJ Express), openmpi (Open MPI's"
                    + " Java bindings), auto (the one whose members its classes call), or none (it keeps its own)."
                    + " Default: ${DEFAULT-VALUE}.")
    private String dialect;

    @Option(
            names = "--under-mpj-express",
            description = "Run the program on MPJ Express as Debian has it (libmpj-java), with Sluice as its device.")
    private boolean underMpjExpress;

    /** Of mpjrun.sh: the device that a program of MPJ Express is told. */
    @Option(names = "--device", hidden = true)
    private String device;

    /** Of mpjrun.sh. */
    @Option(names = "--wdir", hidden = true)
    private Path folder;

    @Option(
            names = "--java",
            paramLabel = "HOME",
            description = "Java installation for the ranks. Default: the one that runs this, which JAVA_HOME names.")
    private Path javaHome;

    @Unmatched
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        if (ranks != null && ranksAsInMpi != null) {
            throw new ParameterException(
                    spec.commandLine(), "-n " + ranks + " and -np " + ranksAsInMpi + " are the same option; name one");
        }
        ranks = ranks == null ? ranksAsInMpi : ranks;
        if (ranks == null && !words.isEmpty() && words.get(0).matches("\\d+")) {
            throw new ParameterException(
                    spec.commandLine(), "-n is missing before " + words.get(0) + ": run -n " + words.get(0) + " ...");
        }
        // First: a misspelt option may have kept those behind it from being read.
        ProgramArguments given = words.isEmpty() && ranks == null
                ? null
                : ProgramArguments.parse(
                        words,
                        spec.qualifiedName(),
                        spec.optionsMap().keySet().stream()
                                .filter(name -> !name.equals("--version"))
                                .collect(Collectors.toSet()),
                        OF_THE_JVM);
        if (ranks == null) {
            throw new ParameterException(
                    spec.commandLine(), "the number of ranks is not given; it comes first: run -n N ...");
        }
        refuseInsideOfSteps();
        warnOfTypos(given.jvmOptions());
        Launcher launcher = new Launcher(ranks, given.program());
        speak(launcher, given.program());
        if (spread(launcher)) {
            judgeRoom(launcher.ranksHere(), launcher.jvmsHere());
        } else {
            int started = meet(launcher);
            launcher.jvms(jvms == null ? started : jvms);
            judgeRoom(started, jvms == null ? started : jvms);
        }
        launcher.sluiceClassPath(SluiceJar.classPath())
                .jvmOptions(given.jvmOptions())
                .arguments(given.arguments())
                .graceSeconds(graceSeconds)
                .survive(survive)
                .ownLoaders(ownLoaders)
                .input(ProcessBuilder.Redirect.INHERIT);
        if (folder != null) {
            launcher.folder(folder);
        }
        if (javaHome != null) {
            launcher.java(JavaHome.of(javaHome));
        }
        if (prefix) {
            launcher.output(RankOutput.prefixed(System.out, Terminal.isOnePlace() ? System.out : System.err));
        }
        OpeningOptions.check(launcher.check());
        return launcher.start().waitFor().status();
    }

    private void speak(Launcher launcher, Program program) {
        if (underMpjExpress) {
            if (!dialect.equals(Dialects.AUTO)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--under-mpj-express and --mpi " + dialect + " exclude each other: with the first the package"
                                + " mpi is MPJ Express's own");
            }
            launcher.dialect(Dialects.installed().mpjExpress()).environment("MPJ_HOME", Dialects.HOME_OF_MPJ_EXPRESS);
            return;
        }
        Dialects.Choice choice = Dialects.installed().choose(program, dialect);
        if (device != null && choice.called() != null) {
            throw new IllegalArgumentException("mpjrun.sh runs programs that were written for MPJ Express, and this one"
                    + " calls " + choice.called() + ": ./sluice run -n N runs it, with the same class path and class");
        }
        choice.dialect().ifPresent(spoken -> launcher.dialect(device == null ? spoken : spoken.withDevice(device)));
        if (choice.line() != null) {
            spec.commandLine().getErr().println("sluice: " + choice.line());
        }
    }

    /** @return whether machines are named */
    private boolean spread(Launcher launcher) {
        boolean named = hosts != null || host != null;
        String wrong = hosts != null && host != null
                ? "--hosts and --host name the machines twice; give one of them"
                : named && (listen != null || here != null)
                        ? "--listen and --here are for ranks that come by themselves, and "
                                + (hosts == null ? "--host" : "--hosts")
                                + " starts all of them; leave one of the two out"
                        : ssh != null && !named
                                ? "--ssh says how machines are reached, and none are named: --hosts FILE or --host a,b"
                                : copy && !named
                                        ? "--copy brings the program to other machines, and none are named:"
                                                + " --hosts FILE or --host a,b"
                                        : "";
        if (!wrong.isEmpty()) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
        if (named) {
            launcher.hosts(
                    hosts == null ? HostList.ofWords(host) : HostList.ofFile(hosts),
                    ssh == null ? RemoteShell.ssh() : RemoteShell.of(ssh),
                    jvms == null ? ranks : jvms);
            launcher.bringsProgram(copy);
        }
        return named;
    }

    private void judgeRoom(int started, int inJvms) {
        if (started == 0) {
            return;
        }
        RoomForRanks room = RoomForRanks.here();
        room.check(started, inJvms);
        String files = RoomForRanks.filesRefusal(started, inJvms, prefix);
        if (!files.isEmpty()) {
            throw new IllegalArgumentException("-n " + started + ": " + files);
        }
        String warning = room.warning(started);
        if (!warning.isEmpty()) {
            spec.commandLine().getErr().println("sluice: " + warning);
        }
    }

    /** @return how many ranks are to be started here */
    private int meet(Launcher launcher) {
        if (here != null && (here < 1 || here > ranks)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--here " + here + " is out of range: of the job's " + ranks + (ranks == 1 ? " rank" : " ranks")
                            + " (-n) 1 to " + ranks
                            + " may be started here, from rank 0 on; leave --here out to start all of them");
        }
        if (listen == null && here != null && here < ranks) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--here " + here + " leaves " + RankList.range(here, ranks - here)
                            + " to other nodes, which need --listen HOST:PORT to "
                            + "find this job; leave --here out to start all ranks here");
        }
        if (listen == null) {
            return ranks;
        }
        int started = here == null ? ranks : here;
        launcher.listen(
                MeetingPlace.of(listen, Options.of(Map.of()).text(org.sluice.device.option.Option.JOB_SECRET_FILE)),
                started);
        return started;
    }

    /**
     * Each process of an mpirun or a step of srun would start the whole job again. A job whose ranks come from
     * elsewhere may have its launcher in one of them.
     */
    private void refuseInsideOfSteps() {
        Optional<String> step = listen == null ? Job.foreignStep(System.getenv()) : Optional.empty();
        if (step.isPresent()) {
            throw new IllegalArgumentException(
                    "run is given in one of several processes of another launcher (" + step.get()
                            + "), each of which would start a job of its own: have that launcher "
                            + "start the ranks, as in mpirun -n " + ranks + " java ... or mpirun -n " + ranks
                            + " ./sluice exec ... (srun: --mpi=pmix; docs/how-to/slurm-and-mpirun.md),"
                            + " or set SLUICE_JOB_SIZE=1 for a"
                            + " job in each");
        }
    }

    /** Only here: every rank would say the same again. */
    private void warnOfTypos(List<String> jvmOptions) {
        List<String> properties = jvmOptions.stream()
                .filter(option -> option.startsWith("-D"))
                .map(option -> option.substring(2).split("=", 2)[0])
                .toList();
        Options.typos(properties, System.getenv().keySet())
                .forEach(warning -> spec.commandLine().getErr().println("sluice: " + warning));
    }
}
