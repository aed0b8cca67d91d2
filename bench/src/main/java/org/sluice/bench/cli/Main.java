package org.sluice.bench.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The one command that a user types. */
@Command(name = "sluice", mixinStandardHelpOptions = true, version = "Sluice 0.1.0",
        description = "Messages between the ranks of a job, over the fastest way there is.",
        subcommands = BenchCommand.class, synopsisSubcommandLabel = "COMMAND")
public final class Main {

    private Main() {
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
