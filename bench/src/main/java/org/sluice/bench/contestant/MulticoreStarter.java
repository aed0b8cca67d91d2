package org.sluice.bench.contestant;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluice.bench.rank.RankSetup;

/**
 * Ranks of MPJ Express in its multicore mode: threads of one JVM, started as its own {@code mpjrun} starts them. Each
 * has the program, and most of the library, from a loader of its own; what is here is shared.
 */
final class MulticoreStarter implements Starter {
    private static final List<String> SHARED =
            List.of("smpdev.jar", "xdev.jar", "mpjbuf.jar", "loader2.jar", "starter.jar", "mpiExp.jar");

    private final JavaCommand java;
    private final RankSetup setup;

    MulticoreStarter(JavaCommand java, RankSetup setup) {
        this.java = java;
        this.setup = setup;
    }

    static Stream<Path> shared() {
        return SHARED.stream().map(MpjExpress.HOME.resolve("lib")::resolve);
    }

    @Override
    public List<Running> start(Map<String, String> environment) throws IOException, ContestantFailure {
        Map<String, String> all = new HashMap<>(environment);
        all.put("MPJ_HOME", MpjExpress.HOME.toString());
        List<String> command = new ArrayList<>(java.withHeap(setup, environment));
        String shared = Stream.concat(shared().map(Path::toString), Stream.of(DialectProgram.rest()))
                .collect(Collectors.joining(":"));
        command.addAll(
                List.of("-Xbootclasspath/a:" + MpjExpress.LOGGING, "-cp", shared, "runtime.starter.MulticoreStarter"));
        command.addAll(List.of(
                DialectProgram.benchmark(),
                Integer.toString(setup.ranks()),
                "smpdev",
                "useLocalLoader",
                MpjExpress.LIBRARY.toString(),
                DialectProgram.MPIJAVA));
        command.addAll(List.of(setup.arguments()));
        return List.of(ChildProcess.start(command, all, null));
    }

    @Override
    public void close() {
        // Nothing is shared outside of the process.
    }
}
