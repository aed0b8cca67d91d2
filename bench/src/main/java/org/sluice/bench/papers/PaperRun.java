package org.sluice.bench.papers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
        List<String> peers = new ArrayList<>(behind("--peers", isQuick));
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
