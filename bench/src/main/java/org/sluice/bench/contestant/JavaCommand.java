package org.sluice.bench.contestant;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluice.bench.rank.RankMain;
import org.sluice.bench.rank.RankSetup;
import org.sluice.launch.JavaHome;

/** The JVM that ranks run in: the harness's own, or that of {@code --java HOME}. */
public final class JavaCommand {
    private static final int HEAP_MB = 512;
    /** Two ranks with two buffers each, and as much again so that nothing is collected during a round. */
    private static final int BUFFERS = 8;
    /**
     * A receive or message with its request, or with its coroutine, takes up to a kilobyte, and both ranks may be in
     * one JVM.
     */
    private static final int CROWD_A_MB = 512;

    private final JavaHome home;

    private JavaCommand(JavaHome home) {
        this.home = home;
    }

    /** @param home null for the harness's own */
    public static JavaCommand of(String home) {
        try {
            return new JavaCommand(
                    home == null
                            ? JavaHome.current()
                            : JavaHome.of(Path.of(home).toAbsolutePath()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--java '" + home + "': " + e.getMessage(), e);
        }
    }

    public String version() {
        return home.version();
    }

    public JavaHome home() {
        return home;
    }

    /**
     * Of one size from beginning to end: a heap that shrinks in the collection after the warm-up gives its memory back
     * to the system, and the page faults of growing again would fall into the first rounds.
     */
    List<String> heap(RankSetup setup) {
        String size = HEAP_MB + BUFFERS * (setup.largest() >> 20) + setup.crowd() / CROWD_A_MB + "m";
        return List.of("-Xms" + size, "-Xmx" + size);
    }

    /** @param environment beside that of this process */
    List<String> rank(RankSetup setup, Map<String, String> environment) {
        List<String> command = withHeap(setup, environment);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(RankMain.class.getName());
        command.addAll(List.of(setup.arguments()));
        return command;
    }

    /** As {@link #rank}, up to the class path. */
    List<String> withHeap(RankSetup setup, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(System.getenv());
        all.putAll(environment);
        List<String> command = new ArrayList<>();
        command.add(home.command());
        command.addAll(home.flags(List.of(), all));
        command.addAll(heap(setup));
        return command;
    }
}
