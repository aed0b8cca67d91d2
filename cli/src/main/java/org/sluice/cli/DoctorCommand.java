package org.sluice.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sluice.bench.contestant.WorkFolder;
import org.sluice.cli.doctor.Doctor;
import org.sluice.cli.doctor.Finding;
import org.sluice.cli.doctor.Leftovers;
import org.sluice.device.option.Options;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints what the doctor found. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Say which channels work here, why not, and what to change; list the options with their values and",
            "origins, and by which algorithms collectives are done.",
            "The lines 'channel threads', 'channel shm', 'channel ib' and 'channel tcp' are the verdicts."
        },
        footer = {"", "Exit status: 0 when Sluice is usable here, 1 when something must be changed first."})
final class DoctorCommand implements Callable<Integer> {
    private static final String INDENTED = "%-10s %-21s %s%n";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--clean",
            description = "Remove what dead jobs of this user left in the folder of the segments, and what "
                    + "benchmarks of this user that were killed left in /dev/shm and the folder for temporary files.")
    private boolean clean;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (clean) {
            clean(out);
        }
        Doctor doctor = Doctor.ofThisJvm();
        List<Finding> findings = doctor.examine(List.of(new BenchLeftovers(WorkFolder.parents()).examine()));
        findings.forEach(finding -> print(out, finding));
        out.println();
        doctor.options().forEach(out::println);
        out.println();
        doctor.algorithms().forEach(out::println);
        boolean usable = findings.stream().noneMatch(finding -> finding.level() == Finding.Level.UNUSABLE);
        out.println();
        out.println(
                usable
                        ? "Sluice is usable here."
                        : "Sluice is not usable here yet: see the lines marked 'not usable'.");
        out.flush();
        return usable ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static void clean(PrintWriter out) throws IOException {
        Path folder = Path.of(Options.of(Map.of()).text(org.sluice.device.option.Option.SHM_DIR));
        List<Path> segments = new Leftovers(folder).clean();
        segments.forEach(file -> out.println("removed " + file));
        int removed = segments.size() + new BenchLeftovers(WorkFolder.parents()).clean(out);
        out.println(removed == 0 ? "nothing removed in " + folder : removed + " removed");
        out.println();
    }

    private static void print(PrintWriter out, Finding finding) {
        String level = switch (finding.level()) {
            case INFORMATION -> "";
            case OK -> "ok";
            case SLOWER -> "slower";
            case IGNORED -> "ignored";
            case UNUSABLE -> "not usable";
        };
        out.printf(INDENTED, level, finding.topic(), finding.text());
        if (!finding.advice().isEmpty()) {
            out.printf(INDENTED, "", "", "-> " + finding.advice());
        }
    }
}
