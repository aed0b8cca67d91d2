package org.sluice.bench.papers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Virtual machines with an adapter, one for each run: {@code ./sluice vm}.
 *
 * @param sluice the script of the checkout
 * @param out the only folder of this machine that guests write to, under the same name
 * @param more words that each run gets beside its own
 */
public record Guest(Path sluice, Path out, List<String> more) {
    /** Before the run's limit, so that a guest is ended by who booted it. */
    private static final int EARLIER_S = 10;

    /** The words that start {@code bench} there. */
    List<String> bench(int processors, int limitS) {
        List<String> words = new ArrayList<>(List.of(
                sluice.toString(),
                "vm",
                "--processors",
                Integer.toString(processors),
                "--timeout",
                Integer.toString(limitS - EARLIER_S),
                "--",
                sluice.toString(),
                "bench"));
        words.addAll(more);
        return words;
    }

    /** Of this process alone, as several may measure at once. */
    Path recordsOf(String run) {
        return out.resolve("papers-" + ProcessHandle.current().pid() + "-" + run + ".jsonl");
    }
}
