package org.sluice.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.sluice.bench.contestant.WorkFolder;
import org.sluice.cli.doctor.Finding;

/**
 * What killed benchmarks left, for the doctor, who doesn't know of benchmarks.
 *
 * <p>Proof: {@code BenchLeftoversTest}.
 */
final class BenchLeftovers {
    private static final String TOPIC = "left-overs";

    private final Collection<Path> parents;

    /** @param parents folders in which to look */
    BenchLeftovers(Collection<Path> parents) {
        this.parents = parents;
    }

    Finding examine() {
        String where = String.join(" and ", parents.stream().map(Path::toString).toList());
        List<Path> found = new ArrayList<>();
        String trouble = "";
        for (Path parent : parents) {
            try {
                found.addAll(WorkFolder.orphans(parent));
            } catch (IOException e) {
                trouble += "; of killed benchmarks could not be looked for in " + parent + ": " + e;
            }
        }
        if (found.isEmpty()) {
            return trouble.isEmpty()
                    ? new Finding(Finding.Level.OK, TOPIC, "none of killed benchmarks in " + where, "")
                    : new Finding(Finding.Level.INFORMATION, TOPIC, trouble.substring(2), "");
        }
        return new Finding(
                Finding.Level.SLOWER,
                TOPIC,
                found.size() + " of killed benchmarks, " + (bytes(found) >> 10) + " KB: "
                        + String.join(" ", found.stream().map(Path::toString).toList()) + trouble,
                "./sluice doctor --clean removes them");
    }

    /**
     * Removes what can be, and prints what that was and what could not be.
     *
     * @return how many were removed
     */
    int clean(PrintWriter out) {
        int removed = 0;
        for (Path parent : parents) {
            try {
                for (Path folder : WorkFolder.orphans(parent)) {
                    removed += isRemoved(folder, out) ? 1 : 0;
                }
            } catch (IOException e) {
                out.println("could not look for killed benchmarks in " + parent + ": " + e);
            }
        }
        return removed;
    }

    private static boolean isRemoved(Path folder, PrintWriter out) {
        try {
            WorkFolder.remove(folder);
            out.println("removed " + folder);
            return true;
        } catch (IOException e) {
            out.println("could not remove " + folder + ": " + e);
            return false;
        }
    }

    private static long bytes(List<Path> folders) {
        long bytes = 0;
        for (Path folder : folders) {
            bytes += WorkFolder.bytes(folder);
        }
        return bytes;
    }
}
