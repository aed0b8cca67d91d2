package org.sluice.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.plan.Sizes;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.mpi.algorithm.Choice;
import org.sluice.mpi.algorithm.Collective;

/**
 * Which algorithm does which collective, as lines for the user.
 *
 * <p>Proof: {@code DoctorTest}.
 */
final class AlgorithmTable {
    private final Choice choice;

    AlgorithmTable(Options options) {
        choice = Choice.of(options);
    }

    /** What the lines are, then one for each collective. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Collectives are done by the first that can: tiers where ranks are in several JVMs or nodes and not"
                + " each in its own,");
        lines.add("cells where up to 16 share memory and the call waits, arrays where they are threads of one JVM too,"
                + " else as messages;");
        lines.add("sizes are of one rank's block. By option:");
        for (Option option : Choice.options()) {
            for (Collective collective : Choice.collectives(option)) {
                lines.add(String.format("%-19s %s", collective.words(), rows(collective)));
            }
        }
        return lines;
    }

    private String rows(Collective collective) {
        List<String> all = new ArrayList<>();
        for (Choice.Row row : choice.rows(collective)) {
            all.add(text(row));
        }
        return String.join("; ", all);
    }

    private static String text(Choice.Row row) {
        List<String> limits = new ArrayList<>();
        if (!row.isForAllRanks()) {
            limits.add(row.mostRanks() + " ranks");
        }
        if (!row.isForAllBytes()) {
            limits.add(Sizes.format(row.mostBytes()));
        }
        String name = row.name() + (row.isInMemory() ? " between processes of a node" : "");
        return name + (limits.isEmpty() ? "" : " up to " + String.join(", ", limits));
    }
}
