package org.sluice.bench.papers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.sluice.bench.memory.MemoryBench;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.reuse.ReuseBench;

/**
 * A call of {@code ./sluice bench} whose records figures are made of.
 *
 * @param name of the file with its records
 * @param arguments behind {@code bench}
 * @param quick the same for {@code --quick}; empty if that leaves it out
 * @param seconds how long it takes on two cores, about
 * @param quickSeconds the same for {@code --quick}
 * @param processors of the guest that it runs in, as it needs an adapter; 0 if it doesn't
 */
public record PaperRun(
        String name, List<String> arguments, List<String> quick, int seconds, int quickSeconds, int processors) {

    /** For figures whose ranks may be more than cores. */
    static final String WITHOUT_SPINNING = "MPICH, whose ranks only spin, takes part where each has a core.";

    private static final String PEERS = "--peers";
    /** Of what measures by itself, and is told of no peers. */
    private static final Map<String, List<String>> OF_THEIR_OWN =
            Map.of(ReuseBench.NAME, ReuseBench.PEERS, MemoryBench.NAME, MemoryBench.PEERS);

    private static final String SPINNING = "mpich";
    /** Of a benchmark whose messages are sent back, if nobody says another number. */
    private static final int RANKS_ANSWERED = 8;

    /** Words with spaces between; null for a run that {@code --quick} leaves out. */
    static PaperRun of(String name, int seconds, String arguments, int quickSeconds, String quick) {
        return new PaperRun(name, words(arguments), words(quick), seconds, quickSeconds, 0);
    }

    /**
     * The same in a guest with so many processors: two where contestants spin, else one, which is safer if emulated.
     */
    PaperRun inGuest(int itsProcessors) {
        return new PaperRun(name, arguments, quick, seconds, quickSeconds, itsProcessors);
    }

    /**
     * The same without MPICH where ranks are more than cores: its ranks only spin, and there a race with it takes
     * minutes in which it says nothing.
     */
    PaperRun forCores(int cores) {
        return new PaperRun(
                name, forCores(arguments, cores), forCores(quick, cores), seconds, quickSeconds, processors);
    }

    private static List<String> forCores(List<String> words, int cores) {
        int at = words.indexOf(PEERS);
        if (at < 0 || ranks(words) <= cores) {
            return words;
        }
        List<String> peers = new ArrayList<>(Arrays.asList(words.get(at + 1).split(",")));
        peers.remove(SPINNING);
        List<String> fewer = new ArrayList<>(words);
        fewer.set(at + 1, String.join(",", peers));
        return List.copyOf(fewer);
    }

    private static int ranks(List<String> words) {
        int at = words.indexOf("--ranks");
        boolean isAnswered = Benchmark.named(words.get(0)).stream().anyMatch(Benchmark::isAnswered);
        return at >= 0 ? Integer.parseInt(words.get(at + 1)) : isAnswered ? RANKS_ANSWERED : 2;
    }

    boolean isInGuest() {
        return processors > 0;
    }

    private static List<String> words(String text) {
        return text == null ? List.of() : Arrays.asList(text.split(" "));
    }

    List<String> arguments(boolean isQuick) {
        return isQuick ? quick : arguments;
    }

    int seconds(boolean isQuick) {
        return isQuick ? quickSeconds : seconds;
    }

    /** Those that it races, as they are named in records. */
    List<String> peers(boolean isQuick) {
        List<String> peers = new ArrayList<>(behind(PEERS, isQuick));
        peers.addAll(OF_THEIR_OWN.getOrDefault(arguments.get(0), List.of()));
        behind("--jvms", isQuick).forEach(count -> peers.add("sluice-" + count + "-jvms"));
        for (String requests : behind("--requests", isQuick)) {
            for (String ending : List.of("", "-whole", "-separate")) {
                peers.add("sluice-" + requests + ending);
            }
        }
        return peers;
    }

    private List<String> behind(String option, boolean isQuick) {
        List<String> words = arguments(isQuick);
        int at = words.indexOf(option);
        return at < 0 ? List.of() : Arrays.asList(words.get(at + 1).split(","));
    }

    /** As somebody would type it. */
    String line(boolean isQuick) {
        String guest = isInGuest() ? "./sluice vm --processors " + processors + " -- " : "";
        return guest + "./sluice bench " + String.join(" ", arguments(isQuick));
    }
}
