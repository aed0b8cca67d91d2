package org.sluice.cli;

import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.sluice.device.option.Spelling;
import org.sluice.launch.JvmExit;
import org.sluice.launch.SluiceVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The one command that a user types. Exits 0 only on success; errors go to standard error with what to do next. */
@Command(
        name = "sluice",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Messages between the ranks of a job, over the fastest way there is.",
        footer = {
            "",
            "In a checkout, './sluice test' runs the tests, and './sluice dist' makes what is handed out."
                    + " The first call installs what a build needs, by apt-get: as"
                    + " root by itself;",
            "for anybody else by sudo, after a question on a terminal, and elsewhere with './sluice --yes COMMAND' or"
                    + " SLUICE_INSTALL=yes in the",
            "environment. SLUICE_INSTALL=no forbids it, as root too. If nothing can be built, what was built before"
                    + " runs."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            BenchCommand.class,
            RunCommand.class,
            ExecCommand.class,
            VmCommand.class,
            DoctorCommand.class,
            TopCommand.class
        })
public final class Main implements Runnable {
    private static final String DEBUG = "sluice.debug";
    /** Of bin/mpjrun.sh: its words are of another kind. */
    private static final String MPJRUN = "mpjrun";
    /** Java's words for it, at the end of a message of picocli. */
    private static final Pattern NOT_A_NUMBER = Pattern.compile("' is not a (double|float)$");

    @Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show stack traces (as does -D" + DEBUG + ").")
    private boolean debug;

    /**
     * The script's: it has taken it out before Java starts, and it stands here for --help and for who starts the jar by
     * himself.
     */
    @Option(
            names = "--yes",
            description = "Install what is missing without a question, by sudo if need be; as SLUICE_INSTALL=yes.")
    private boolean yes;

    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(MPJRUN)) {
            Mpjrun.main(Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        JvmExit.with(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        Main main = new Main();
        CommandLine line = new CommandLine(main);
        line.getSubcommands().values().forEach(each -> each.getCommandSpec().versionProvider(new Version()));
        // A program's own arguments follow; none of them is ours.
        line.getSubcommands().get("run").setStopAtUnmatched(true).setStopAtPositional(true);
        line.getSubcommands().get("exec").setStopAtUnmatched(true).setStopAtPositional(true);
        line.getSubcommands().get("vm").setStopAtPositional(true);
        return line.setExecutionExceptionHandler((failure, failed, parsed) -> main.report(failure, failed))
                .setParameterExceptionHandler((mistake, words) -> explain(mistake));
    }

    private static int explain(ParameterException mistake) {
        CommandLine command = mistake.getCommandLine();
        command.getErr().println("sluice: " + text(mistake));
        command.getErr()
                .println("        ./" + command.getCommandSpec().qualifiedName() + " --help says what there is");
        command.getErr().flush();
        return CommandLine.ExitCode.USAGE;
    }

    private static String text(ParameterException mistake) {
        if (!(mistake instanceof UnmatchedArgumentException unmatched)) {
            return NOT_A_NUMBER
                    .matcher(mistake.getMessage())
                    .replaceAll("' is no number")
                    .replaceAll("' is not an? (int|long)$", "' is no whole number");
        }
        CommandLine command = mistake.getCommandLine();
        String word = unmatched.getUnmatched().get(0);
        if (command.getParent() == null && !word.startsWith("-")) {
            return "there is no command '" + word + "'; there are " + commands(command.getCommandSpec());
        }
        return "'" + word + "' is not known to " + command.getCommandSpec().qualifiedName()
                + Spelling.suggestion(
                        word.split("=", 2)[0],
                        command.getCommandSpec().optionsMap().keySet());
    }

    /** The suite and the archive are no commands of the jar: they build. */
    private static String commands(CommandSpec spec) {
        return String.join(", ", spec.subcommands().keySet()) + ", and in a checkout test and dist";
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command is given; there are " + commands(spec));
    }

    private int report(Exception failure, CommandLine failed) {
        failed.getErr().println("sluice: " + text(failure));
        if (debug || System.getProperty(DEBUG) != null) {
            failure.printStackTrace(failed.getErr());
        } else if (!(failure instanceof IllegalArgumentException)) {
            failed.getErr().println("        (--debug before the command shows where)");
        }
        failed.getErr().flush();
        return failure instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    /** The message of a failure of the file system is often nothing but a path. */
    private static String text(Exception failure) {
        if (failure instanceof FileSystemException system && system.getFile() != null) {
            return "'" + system.getFile() + "': " + OutputFiles.reason(system)
                    + "; see whether it exists, whether this user may use it, and whether there is room";
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    /** The version of the build, beside the JVM that runs it. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"Sluice " + SluiceVersion.CURRENT, "Java " + Runtime.version()};
        }
    }
}
