package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.cli.BuiltProgram.Ended;

/** The MPI programs in examples print with four ranks what lies beside them. */
@Timeout(120)
@Tag("once")
final class DialectExamplesProcessTest {
    private static final Path EXAMPLES = BuiltProgram.CHECKOUT.resolve("examples");
    private static final List<String> DIALECTS = List.of("mpijava", "openmpi");
    private static final int OF_EACH_DIALECT = 6;
    private static final String RANKS = "4";
    private static final String IN_TURN = """
        import java.net.URLClassLoader;
        /** Each program has a class loader of its own, as MPI begins but once. */
        public final class InTurn {
            public static void main(String[] names) throws Exception {
                URLClassLoader ofRank = (URLClassLoader) InTurn.class.getClassLoader();
                for (String name : names) {
                    try (URLClassLoader own = new URLClassLoader(ofRank.getURLs(), ofRank.getParent())) {
                        own.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
                    }
                }
            }
        }
        """;

    @TempDir
    private static Path folder;

    private static BuiltProgram program;

    /** As their users compile them: against the dialect alone, and with all warnings. */
    @BeforeAll
    static void compile() throws IOException {
        program = new BuiltProgram(folder);
        for (String dialect : DIALECTS) {
            List<Path> sources = files(dialect, ".java");
            program.compile(dialect, sources, "-Xlint:all", "-Werror", "-cp", jar(dialect));
        }
        program.compile("turns", "InTurn.java", IN_TURN);
    }

    private static List<Path> files(String dialect, String ending) throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES.resolve(dialect))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private static String jar(String dialect) {
        return BuiltProgram.LIB.resolve("mpi/sluice-" + dialect + ".jar").toString();
    }

    /** @return each as DIALECT/NAME */
    static List<String> programs() throws IOException {
        Stream<String> names = Stream.of();
        for (String dialect : DIALECTS) {
            names = Stream.concat(names, files(dialect, ".java").stream().map(DialectExamplesProcessTest::name));
        }
        return names.toList();
    }

    private static String name(Path file) {
        return EXAMPLES.relativize(file).toString().replaceFirst("\\.[a-z]+$", "");
    }

    @Test
    void eachHasItsOutputBesideIt() throws IOException {
        for (String dialect : DIALECTS) {
            List<Path> sources = files(dialect, ".java");
            assertEquals(OF_EACH_DIALECT, sources.size(), dialect);
            assertEquals(
                    sources.stream().map(DialectExamplesProcessTest::name).toList(),
                    files(dialect, ".txt").stream()
                            .map(DialectExamplesProcessTest::name)
                            .toList());
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void inProcesses(String name) throws Exception {
        String dialect = name.substring(0, name.indexOf('/'));
        assertEquals(text(name), output("-cp", dialect, name.substring(dialect.length() + 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mpijava/Quicksort", "openmpi/Life"})
    void inThreads(String name) throws Exception {
        String dialect = name.substring(0, name.indexOf('/'));
        String main = name.substring(dialect.length() + 1);
        assertEquals(text(name), output("--jvms", "1", "-cp", dialect, main));
    }

    /** All of a dialect in one JVM, which saves time; that calls nothing of MPI itself, so the jar is named. */
    @ParameterizedTest
    @ValueSource(strings = {"mpijava", "openmpi"})
    void inThreadsInTurn(String dialect) throws Exception {
        String classPath = String.join(File.pathSeparator, "turns", dialect, jar(dialect));
        List<String> words = new ArrayList<>(List.of("--jvms", "1", "--own-loaders", "-cp", classPath, "InTurn"));
        StringBuilder expected = new StringBuilder();
        for (Path source : files(dialect, ".java")) {
            words.add(source.getFileName().toString().replace(".java", ""));
            expected.append(text(name(source)));
        }
        assertEquals(expected.toString(), output(words.toArray(String[]::new)));
    }

    private static String text(String name) throws IOException {
        return Files.readString(EXAMPLES.resolve(name + ".txt"));
    }

    /** @param words behind the number of ranks */
    private static String output(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("-n", RANKS));
        command.addAll(List.of(words));
        Ended ended = program.run(command.toArray(String[]::new));
        assertEquals("", ended.err());
        assertEquals(0, ended.status());
        return ended.out();
    }
}
