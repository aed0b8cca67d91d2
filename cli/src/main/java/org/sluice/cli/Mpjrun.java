package org.sluice.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.sluice.cli.dialect.Dialects;
import org.sluice.launch.JvmExit;
import org.sluice.launch.Program;
import org.sluice.launch.SluiceVersion;
import picocli.CommandLine;

/**
 * What users of MPJ Express type: reads the words of its mpjrun.sh and starter.jar, and says them to {@code run}.
 *
 * <p>Proof: {@code MpjrunTest}, {@code MpjrunProcessTest}.
 */
public final class Mpjrun {
    private static final String MULTICORE = "multicore";
    /** What programs are told there. */
    private static final String DEVICE_OF_MULTICORE = "smpdev";

    private static final List<String> DEVICES = List.of(MULTICORE, "niodev", "hybdev", "mxdev", "native");
    /** Of MPJ Express's daemons, ports and adapters, none of which there is here. */
    private static final Set<String> WITHOUT_EFFECT =
            Set.of("-psl", "-mpjport", "-dport", "-mxboardnum", "-headnodeip");

    private static final Set<String> OF_HADOOP = Set.of(
            "-yarn",
            "-debugYarn",
            "-amMem",
            "-amCores",
            "-containerMem",
            "-containerCores",
            "-yarnQueue",
            "-appName",
            "-amPriority",
            "-mpjContainerPriority",
            "-hdfsFolder");
    private static final Path OWN_NAME = Path.of("/proc/sys/kernel/hostname");

    private static final String USAGE = """
            Usage: mpjrun.sh [OPTIONS] [JVM options] MAIN [args]
                   mpjrun.sh [OPTIONS] [JVM options] -jar JAR [args]
            Runs a program that was written for MPJ Express, on Sluice.
              -np N            ranks (default: one for each core)
              -dev DEVICE      multicore: ranks are threads of one JVM, with a class loader each (default);
                               niodev, hybdev: a JVM for each rank
              -cp CP           class path, behind the working folder or the jar
              -wdir DIR        working folder of the ranks
              -machinesfile F  machines, one a line, over which ranks are spread by ssh
                               (niodev, hybdev)
              -debug PORT      wait for a debugger on this port (multicore)
              -psl, -mpjport, -dport, -mxboardnum, -headnodeip VALUE, -src
                               are taken, and have no effect
              -v, -h           version; this text
            ./sluice run has more.
            """;

    private final List<String> jvmOptions = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private int ranks = Runtime.getRuntime().availableProcessors();
    private String device = MULTICORE;
    private String classPath = "";
    private String folder = "";
    private String debugPort = "";
    private String jar = "";
    private String machines = "";
    private String mainClass = "";

    private Mpjrun() {}

    /** Called by starter.jar, and by the command line for mpjrun.sh. */
    public static void main(String[] words) {
        if (words.length == 0 || words[0].equals("-h")) {
            System.out.print(USAGE);
            JvmExit.with(CommandLine.ExitCode.OK);
            return;
        }
        if (words[0].equals("-v")) {
            System.out.println("Sluice " + SluiceVersion.CURRENT + ", for programs of MPJ Express 0.44");
            JvmExit.with(CommandLine.ExitCode.OK);
            return;
        }
        List<String> run;
        try {
            run = toRun(List.of(words));
            if (run.contains(DEVICE_OF_MULTICORE) && List.of(words).contains("-machinesfile")) {
                System.err.println("mpjrun: -machinesfile has no effect with -dev multicore, whose ranks are threads of"
                        + " one JVM; -dev niodev spreads them over machines");
            }
        } catch (IllegalArgumentException e) {
            System.err.println("mpjrun: " + e.getMessage());
            System.err.println("        mpjrun.sh -h says what there is");
            JvmExit.with(CommandLine.ExitCode.USAGE);
            return;
        }
        JvmExit.with(Main.commandLine().execute(run.toArray(String[]::new)));
    }

    /**
     * The words of {@code ./sluice} that do the same.
     *
     * @throws IllegalArgumentException for what Sluice can't do, and what makes no sense
     */
    static List<String> toRun(List<String> words) {
        Mpjrun read = new Mpjrun();
        int next = 0;
        while (next < words.size() && read.mainClass.isEmpty() && read.jar.isEmpty()) {
            next = read.take(words, next);
        }
        read.arguments.addAll(words.subList(next, words.size()));
        return read.run();
    }

    /** @return where the next word is */
    private int take(List<String> words, int at) {
        String word = words.get(at);
        if (!word.startsWith("-")) {
            mainClass = word;
            return at + 1;
        }
        if (OF_HADOOP.contains(word)) {
            throw new IllegalArgumentException(word + ": there is no start by Hadoop YARN here; ranks on several nodes"
                    + " are started by -machinesfile, srun or mpirun");
        }
        switch (word) {
            case "-np" -> ranks = number(words, at, "ranks");
            case "-dev" -> device = device(following(words, at));
            case "-cp", "-classpath" -> classPath = following(words, at);
            case "-jar" -> jar = following(words, at);
            case "-wdir" -> folder = following(words, at);
            case "-machinesfile" -> machines = following(words, at);
            case "-debug" -> debugPort = Integer.toString(number(words, at, "the port of a debugger"));
            case "-profile" ->
                throw new IllegalArgumentException("-profile: there is no TAU here; a JVM's own recorder is started by"
                        + " -XX:StartFlightRecording:filename=of-{rank}.jfr");
            case "-src" -> {
                return at + 1;
            }
            default -> {
                if (WITHOUT_EFFECT.contains(word)) {
                    following(words, at);
                } else {
                    return ofTheJvm(words, at);
                }
            }
        }
        return at + 2;
    }

    private int ofTheJvm(List<String> words, int at) {
        jvmOptions.add(words.get(at));
        if (JvmFlags.WITH_NEXT_WORD.contains(words.get(at))) {
            jvmOptions.add(following(words, at));
            return at + 2;
        }
        return at + 1;
    }

    private static String following(List<String> words, int at) {
        if (at + 1 >= words.size()) {
            throw new IllegalArgumentException("behind " + words.get(at) + " its value is missing");
        }
        return words.get(at + 1);
    }

    private static int number(List<String> words, int at, String what) {
        String value = following(words, at);
        if (!value.matches("[0-9]{1,9}") || Integer.parseInt(value) < 1) {
            throw new IllegalArgumentException(
                    words.get(at) + " is '" + value + "'; it is the number of " + what + ", 1 or more");
        }
        return Integer.parseInt(value);
    }

    private static String device(String name) {
        if (!DEVICES.contains(name)) {
            throw new IllegalArgumentException("-dev is '" + name + "'; it may be " + String.join(", ", DEVICES)
                    + ": with multicore ranks are threads of one JVM, else each has a JVM");
        }
        return name;
    }

    private List<String> run() {
        if (mainClass.isEmpty() && jar.isEmpty()) {
            throw new IllegalArgumentException("no program is given: a main class or -jar JAR follows the options");
        }
        boolean isMulticore = device.equals(MULTICORE);
        List<String> run = new ArrayList<>(List.of("run", "-n", Integer.toString(ranks), "--mpi", Dialects.MPIJAVA));
        run.addAll(List.of("--device", isMulticore ? DEVICE_OF_MULTICORE : device));
        if (isMulticore) {
            run.addAll(List.of("--jvms", "1"));
        } else if (!machines.isEmpty()) {
            run.addAll(List.of("--hosts", machines));
        }
        if (!folder.isEmpty()) {
            run.addAll(List.of("--wdir", folder));
        }
        if (!debugPort.isEmpty() && !isMulticore) {
            throw new IllegalArgumentException("-debug " + debugPort + ": JVMs of several ranks can't all wait on one"
                    + " port; it goes with -dev multicore");
        }
        if (!debugPort.isEmpty()) {
            run.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=" + debugPort);
        }
        run.addAll(jvmOptions);
        if (!jar.isEmpty() && classPath.isEmpty() && folder.isEmpty()) {
            run.addAll(List.of("-jar", jar));
        } else {
            String first = jar.isEmpty() ? "." : jar;
            String all = classPath.isEmpty() ? first : first + File.pathSeparator + classPath;
            run.addAll(List.of("-cp", folder.isEmpty() ? all : absolute(all)));
            run.add(jar.isEmpty() ? mainClass : Program.ofJar(Path.of(jar)).mainClass());
        }
        run.addAll(arguments);
        return run;
    }

    /** For ranks that have another working folder. */
    private static String absolute(String classPath) {
        return String.join(
                File.pathSeparator,
                Arrays.stream(classPath.split(File.pathSeparator, -1))
                        .map(entry -> new File(entry.isEmpty() ? "." : entry).getAbsolutePath())
                        .toList());
    }
}
