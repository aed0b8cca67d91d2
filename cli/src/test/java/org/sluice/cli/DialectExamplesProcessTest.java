package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluice.cli.BuiltProgram.Ended;

/** The MPI programs in examples print with four ranks what lies beside them. */
@Timeout(120)
final class DialectExamplesProcessTest {
    private static final Path EXAMPLES = BuiltProgram.CHECKOUT.resolve("examples");
    private static final List<String> DIALECTS = List.of("mpijava", "openmpi");
    private static final int OF_EACH_DIALECT = 6;
    private static final String RANKS = "4";

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
        assertPrintsWhatItShould(name);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void inThreads(String name) throws Exception {
        assertPrintsWhatItShould(name, "--jvms", "1", "--own-loaders");
    }

    private static void assertPrintsWhatItShould(String name, String... options) throws Exception {
        String dialect = name.substring(0, name.indexOf('/'));
        List<String> words = Stream.of(
                        Stream.of("-n", RANKS),
                        Stream.of(options),
                        Stream.of("-cp", dialect + File.pathSeparator + jar(dialect)),
                        Stream.of(name.substring(dialect.length() + 1)))
                .flatMap(part -> part)
                .toList();
        Ended ended = program.run(words.toArray(String[]::new));
        assertEquals("", ended.err());
        assertEquals(0, ended.status());
        assertEquals(Files.readString(EXAMPLES.resolve(name + ".txt")), ended.out());
    }
}
