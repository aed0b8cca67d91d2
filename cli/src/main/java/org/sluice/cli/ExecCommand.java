package org.sluice.cli;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.sluice.cli.dialect.Dialects;
import org.sluice.device.option.Options;
import org.sluice.launch.InPlace;
import org.sluice.launch.Job;
import org.sluice.launch.MpiDialect;
import org.sluice.launch.Program;
import org.sluice.launch.SluiceJar;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Runs a program in this JVM, as a rank of the job that the environment names. */
@Command(
        name = "exec",
        mixinStandardHelpOptions = true,
        description = "Run a program in this JVM, as a rank of the job of whoever started it (rank 0 of 1 where "
                + "nobody did).",
        customSynopsis = "sluice exec [--ranks K] [--mpi DIALECT] (-jar X | -cp CP MAIN | bench NAME ...) [args]%n",
        footer = {"", "Takes no JVM options: this JVM runs already; set JDK_JAVA_OPTIONS in the environment instead."})
final class ExecCommand implements Callable<Integer> {
    private static final String BENCH = "bench";
    /** For which there has to be a process of the job on each node. */
    private static final String ACROSS = "--across";

    private static final String OF_THE_JVM = "this JVM runs already; set JDK_JAVA_OPTIONS in the environment instead";

    private static final org.sluice.device.option.Option JVM_RANKS = org.sluice.device.option.Option.JOB_JVM_RANKS;

    private static final org.sluice.device.option.Option JOB_RANK = org.sluice.device.option.Option.JOB_RANK;
    private static final String PMIX_RANK = "PMIX_RANK";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--ranks",
            paramLabel = "K",
            description =
                    "Under mpirun or srun: call the program K times, on threads that are ranks of the job (default:"
                            + " once).")
    private int ranks = 1;

    @Option(
            names = "--mpi",
            paramLabel = "DIALECT",
            defaultValue = Dialects.AUTO,
            description = "Dialect of the package mpi that the program gets: mpijava (MPJ Express), openmpi (Open MPI's"
                    + " Java bindings), auto (the one whose members its classes call), or none (it keeps its own)."
                    + " Default: ${DEFAULT-VALUE}.")
    private String dialect;

    @Unmatched
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        if (!words.isEmpty() && words.get(0).equals(BENCH)) {
            CommandLine bench = spec.parent().subcommands().get(BENCH);
            if (bench == null) {
                throw new IllegalArgumentException("this build has no benchmarks; run a program with -jar or -cp");
            }
            if (!words.contains(ACROSS)) {
                refuseInsideOfJobs();
            }
            return bench.execute(words.subList(1, words.size()).toArray(String[]::new));
        }
        ProgramArguments given = ProgramArguments.parse(
                words, spec.qualifiedName(), spec.optionsMap().keySet(), OF_THE_JVM);
        if (!given.jvmOptions().isEmpty()) {
            throw new IllegalArgumentException(
                    "exec takes no JVM options (" + String.join(" ", given.jvmOptions()) + "): " + OF_THE_JVM);
        }
        Program program = given.program();
        boolean asThreads = ranks != 1;
        if (asThreads) {
            System.setProperty(JVM_RANKS.property(), Integer.toString(ranks));
        }
        Optional<MpiDialect> spoken = spoken(program);
        run(besides(program), asThreads, spoken, program, given.arguments().toArray(String[]::new));
        return waitForThreads();
    }

    /** All ranks look, and one of a job tells. */
    private Optional<MpiDialect> spoken(Program program) {
        Dialects.Choice choice = Dialects.installed().choose(program, dialect);
        String rank = System.getenv().getOrDefault(PMIX_RANK, System.getenv(JOB_RANK.environmentVariable()));
        if (choice.line() != null && (rank == null || rank.equals("0"))) {
            spec.commandLine().getErr().println("sluice: " + choice.line());
        }
        return choice.dialect();
    }

    /** The loader that has the program: the system's, where the script started this JVM, which is not ours then. */
    private static ClassLoader besides(Program program) {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        if (ExecCommand.class.getClassLoader() != system) {
            return system;
        }
        String classPath = program.classPath() + File.pathSeparator + SluiceJar.classPath();
        System.setProperty("java.class.path", classPath);
        // Not closed: threads of the program may load classes after its main method has returned.
        return new URLClassLoader(
                Program.ofClassPath(classPath, program.mainClass()).urls(), ClassLoader.getPlatformClassLoader());
    }

    /**
     * By a class of the program's side, which is loaded anew there: by a handle, so that no frames of reflection stand
     * in a user's stack trace.
     */
    private static void run(
            ClassLoader loader, boolean asThreads, Optional<MpiDialect> spoken, Program program, String[] arguments)
            throws Exception {
        Class<?> inPlace = Class.forName(InPlace.class.getName(), true, loader);
        MethodHandle run = MethodHandles.publicLookup()
                .findStatic(
                        inPlace,
                        "run",
                        MethodType.methodType(
                                void.class,
                                boolean.class,
                                String.class,
                                String.class,
                                String.class,
                                String.class,
                                String[].class));
        // In front of the program's own, which stands on this JVM's class path already.
        String ownClassPath = spoken.filter(each -> asThreads || !each.jars().isEmpty())
                .map(each -> each.classPath(program.classPath()))
                .orElse("");
        String device = spoken.map(MpiDialect::device).orElse("");
        try {
            run.invokeExact(asThreads, ownClassPath, device, program.classPath(), program.mainClass(), arguments);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A benchmark starts ranks of its own: one in each process of a job would be several side by side. */
    private static void refuseInsideOfJobs() {
        Optional<String> several = Job.severalBy(Options.of(Map.of()), System.getenv());
        if (several.isPresent()) {
            throw new IllegalArgumentException(
                    "exec bench is given in one of several processes of a job (" + several.get()
                            + "), each of which would start a benchmark of its own; it is allowed where the process is"
                            + " the only one: run ./sluice bench outside of the job, or name --across, with one process"
                            + " on each node");
        }
    }

    /** As a JVM does after main: it ends when the last thread that is no daemon has ended. */
    private static int waitForThreads() throws InterruptedException {
        for (Thread thread = otherThread(); thread != null; thread = otherThread()) {
            thread.join();
        }
        return CommandLine.ExitCode.OK;
    }

    private static Thread otherThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon()
                        && thread.isAlive()
                        && thread != Thread.currentThread()
                        && !thread.getName().equals("DestroyJavaVM"))
                .findFirst()
                .orElse(null);
    }
}
