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
        NOT_RUN.put("again and again: BUFFERED", "a Bsend_init that is started never ends");
        NOT_RUN.put(
                "a line: nobody is beyond its ends", "messages to and from PROC_NULL are errors at some ranks only");

        String order = "blocks are sent element by element: the first of each, then the second";
        DEPARTURES.put("a type there and back: blocks in a row", order);
        DEPARTURES.put("a type there and back: a stride in elements", order);
        DEPARTURES.put("a type there and back: a vector of vectors", order);
        DEPARTURES.put("what was made of a type stays when that is freed", order);
        DEPARTURES.put("a type there and back: a struct", "a message of a Struct of two types isn't received as ints");
        DEPARTURES.put("the count of an item that isn't whole is undefined", "so is that of another type");
        DEPARTURES.put("nobody sends and receives at once", "PROC_NULL is an error");

        String offset = "the offset of the receive buffer isn't looked at";
        DEPARTURES.put("scatter from each root", offset);
        DEPARTURES.put("all gather", offset);

        DEPARTURES.put("reduction of ints: BOR", "leaves the first rank's values");
        DEPARTURES.put("reduction of ints: BXOR", "leaves the first rank's values");

        String commutes = "operations are all taken for commutative";
        DEPARTURES.put("in the order of ranks: all reduce", commutes);
        DEPARTURES.put(
                "in the order of ranks: reduce at the last", commutes + ", and other ranks' buffers are written");
        DEPARTURES.put("in the order of ranks: scan", commutes);
        DEPARTURES.put("objects: an operation of the program's", commutes);

        DEPARTURES.put("groups: compared", "two empty groups can't be compared");
        DEPARTURES.put("groups: ranks of one in another", "a rank isn't found in a group of that one");
        DEPARTURES.put("split with equal keys keeps the order", "Split of all ranks with equal keys fails");
        DEPARTURES.put("split without a color", "a negative color is one");
        DEPARTURES.put("a duplicate is congruent", "Attr_get(TAG_UB) fails");
        DEPARTURES.put("dimensions that are balanced", "7 nodes are 3 by 2");
        DEPARTURES.put("two groups: a duplicate of its own", "a duplicate is identical");
    }

    private static RunOfCases found;

    static List<MpiCase> cases() {
        return MpiCase.withoutMistakes().stream()
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
        String shared = SHARED.stream().map(jar -> library(jar).toString()).collect(Collectors.joining(":"));
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
