package org.sluice.mpijava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluice.mpi.cases.MpiCase;
import org.sluice.mpi.cases.RunOfCases;

/**
 * The table of MPI's rules, with the very classes that run with Sluice, by MPJ Express itself in its multicore mode: it
 * finds the same, except where it is known not to. What is no longer so is to be taken off the list.
 */
@Timeout(90)
final class MpjExpressRulesTest {
    private static final String PROGRAM = "example.mpijava.Cases";
    private static final int RANKS = 4;
    private static final int PATIENCE_S = 60;

    private static final Path HOME = Path.of("/usr/share/mpj");
    private static final Path LIBRARY = Path.of("/usr/share/java/mpj.jar");
    /** Its device logs, and Debian's class path lacks what it logs with. */
    private static final Path LOGGING = Path.of("/usr/share/java/log4j-1.2.jar");

    private static final List<String> SHARED =
            List.of("smpdev.jar", "xdev.jar", "mpjbuf.jar", "loader2.jar", "starter.jar", "mpiExp.jar");

    /** What it does that the standard doesn't say, by case. */
    private static final Map<String, String> DEPARTURES = new TreeMap<>();
    /** What it never comes back from, or what ends its job: not run. */
    private static final Map<String, String> NOT_RUN = new TreeMap<>();

    static {
        NOT_RUN.put("nothing is left to wait for", "Waitany of nothing but null never returns");
        NOT_RUN.put("a receive that is cancelled takes nothing", "Cancel does nothing, and the wait never returns");
    }

    private static RunOfCases found;

    static List<MpiCase> cases() {
        return MpiCase.all().stream()
                .filter(each -> !NOT_RUN.containsKey(each.toString()))
                .collect(Collectors.toList());
    }

    private static Path library(String jar) {
        return HOME.resolve("lib").resolve(jar);
    }

    @BeforeAll
    static void run(@TempDir Path folder) throws Exception {
        boolean isThere = Files.isReadable(LIBRARY)
                && Files.isReadable(LOGGING)
                && SHARED.stream().allMatch(jar -> Files.isReadable(library(jar)));
        assumeTrue(isThere, "MPJ Express isn't installed: apt install libmpj-java");
        Path output = folder.resolve("output");
        Process job = start(folder, output);
        boolean hasEnded = job.waitFor(PATIENCE_S, TimeUnit.SECONDS);
        job.destroyForcibly().waitFor();
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertTrue(hasEnded, () -> "MPJ Express hangs behind: " + String.join(System.lineSeparator(), last(lines)));
        found = new RunOfCases(RANKS, lines);
    }

    private static List<String> last(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - 4 * RANKS), lines.size());
    }

    /** As its own starter starts ranks: each has the program and the rest of the library from a loader of its own. */
    private static Process start(Path folder, Path output) throws Exception {
        String shared =
                SHARED.stream().map(jar -> library(jar).toString()).collect(Collectors.joining(":"));
        String program = Stream.of(place(MpjExpressRulesTest.class), place(MpiCase.class), LIBRARY.toString())
                .collect(Collectors.joining(":"));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-Xbootclasspath/a:" + LOGGING, "-cp", shared));
        command.add("-Dsluice.test.left.out=" + String.join(";", NOT_RUN.keySet()));
        command.addAll(List.of("runtime.starter.MulticoreStarter", folder.toString(), "" + RANKS, "smpdev"));
        command.addAll(List.of("useLocalLoader", program, PROGRAM));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .directory(folder.toFile());
        builder.environment().put("MPJ_HOME", HOME.toString());
        return builder.start();
    }

    private static String place(Class<?> of) throws Exception {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void findsTheSame(MpiCase rule) {
        String departure = DEPARTURES.get(rule.toString());
        if (departure == null) {
            assertEquals(List.of(), found.differences(rule));
        } else {
            assertNotEquals(List.of(), found.differences(rule), "no longer so: " + departure);
        }
    }
}
