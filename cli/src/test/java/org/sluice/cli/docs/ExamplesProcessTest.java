package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.launch.JavaHome;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;

/** The programs in examples are what README, tutorials and how-tos show; they compile, and print what the pages say. */
@Timeout(90)
final class ExamplesProcessTest {
    private static final Documents DOCUMENTS = new Documents();
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        List<String> words = new ArrayList<>(List.of("-proc:none", "-cp", CLASS_PATH, "-d", classes.toString()));
        words.addAll(examples(".java"));
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new));
        assertEquals(0, status, () -> "javac " + words);
        compileKotlin();
    }

    /** With the options that the tutorial gives; the compiler, and what it compiles with, are the build's. */
    private static void compileKotlin() throws Exception {
        List<String> commands =
                Documents.find(DOCUMENTS.text("docs/tutorial/coroutines.md"), "^    kotlinc -cp \\S.*\" (.*)$");
        assertEquals(1, commands.size(), "the page has one command that compiles");
        List<String> words = new ArrayList<>(List.of(JavaHome.current().command(), "-XX:TieredStopAtLevel=1"));
        words.addAll(List.of("-cp", compiler()));
        words.addAll(List.of("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect"));
        words.addAll(List.of("-cp", CLASS_PATH));
        words.addAll(List.of(commands.get(0)
                .replace("-d classes", "-d " + classes)
                .replace(" Coroutines.kt", "")
                .split(" ")));
        words.addAll(examples(".kt"));
        Path log = classes.resolve("log");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertTrue(process.waitFor(80, TimeUnit.SECONDS), () -> "it does not end: " + words);
        } finally {
            process.destroyForcibly();
        }
        assertEquals(0, process.exitValue(), Files.readString(log));
    }

    /** What the build compiles with lies beside Kotlin's library, in Maven's repository. */
    private static String compiler() {
        Path library = Path.of(Arrays.stream(CLASS_PATH.split(File.pathSeparator))
                .filter(entry -> entry.matches(".*/kotlin-stdlib-[0-9.]+\\.jar"))
                .findFirst()
                .orElseThrow());
        String version = library.getParent().getFileName().toString();
        Path kotlin = library.getParent().getParent().getParent();
        List<String> parts = new ArrayList<>(List.of(CLASS_PATH));
        for (String part : List.of("kotlin-compiler-embeddable", "kotlin-script-runtime", "kotlin-daemon-embeddable")) {
            parts.add(kotlin.resolve(part)
                    .resolve(version)
                    .resolve(part + "-" + version + ".jar")
                    .toString());
        }
        return String.join(File.pathSeparator, parts);
    }

    private static List<String> examples(String ending) throws IOException {
        try (Stream<Path> files = Files.list(DOCUMENTS.root.resolve("examples"))) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> blocks(String page, String language) throws IOException {
        return Documents.find(DOCUMENTS.text(page), "```" + language + "\n((?s:.*?))```");
    }

    /** All of it: in one piece, or in several that are parted at blank lines. */
    @ParameterizedTest
    @CsvSource({
        "README.md, Hello.java, java",
        "docs/tutorial/first-program.md, Hello.java, java",
        "docs/tutorial/halo-exchange.md, HaloExchange.java, java",
        "docs/tutorial/collectives.md, Jacobi.java, java",
        "docs/how-to/communicators.md, Tasks.java, java",
        "docs/tutorial/coroutines.md, Coroutines.kt, kotlin",
        "docs/tutorial/message-driven.md, MessageDriven.java, java"
    })
    void thePageShowsTheFile(String page, String file, String language) throws IOException {
        assertEquals(DOCUMENTS.text("examples/" + file), String.join("\n", blocks(page, language)));
        assertTrue(DOCUMENTS.text(page).contains("examples/" + file + ")"), "it links to the file");
    }

    /** The README shows what is inside of the device. */
    @Test
    void theReadmesLinesOfKotlinAreThoseOfTheFile() throws IOException {
        List<String> lines = DOCUMENTS
                .text("examples/HelloKotlin.kt")
                .lines()
                .map(String::strip)
                .toList();
        List<String> shown = blocks("README.md", "kotlin");
        assertEquals(1, shown.size());
        List<String> stripped = shown.get(0).lines().map(String::strip).toList();
        int begin = lines.indexOf(stripped.get(0));
        assertEquals(stripped, lines.subList(begin, begin + stripped.size()));
    }

    /** As one rank would compute it: the plate, and the number of steps until it hardly changes. */
    private static List<String> jacobi() {
        int size = 64;
        double[][] plate = new double[size + 2][size + 2];
        Arrays.fill(plate[0], 100);
        double norm = Double.MAX_VALUE;
        int steps = 0;
        for (; norm > 0.01; steps++) {
            double[][] next = Arrays.stream(plate).map(double[]::clone).toArray(double[][]::new);
            double sum = 0;
            for (int i = 1; i <= size; i++) {
                for (int j = 1; j <= size; j++) {
                    next[i][j] = (plate[i][j - 1] + plate[i][j + 1] + plate[i - 1][j] + plate[i + 1][j]) / 4;
                    sum += Math.pow(next[i][j] - plate[i][j], 2);
                }
            }
            norm = Math.sqrt(sum);
            plate = next;
        }
        List<String> lines = new ArrayList<>(List.of(steps + " steps"));
        for (int row = 0; row < size; row += 16) {
            lines.add(String.format(Locale.ROOT, "row %2d: %.6f", row, plate[row + 1][size / 2 + 1]));
        }
        return lines;
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource({"Jacobi, 1, 1", "Jacobi, 3, 3", "Jacobi, 4, 1", "JacobiKotlinKt, 1, 1", "JacobiKotlinKt, 3, 2"})
    void jacobisIterationIsTheSerialOne(String main, int ranks, int jvms) throws InterruptedException {
        Queue<String> output = new ConcurrentLinkedQueue<>();
        JobResult result = new Launcher(ranks, program(main))
                .jvms(jvms)
                .graceSeconds(1)
                .messages(output::add)
                .output(RankOutput.captured((rank, error, line) -> output.add(line)))
                .start()
                .waitFor();
        assertEquals(0, result.status(), output.toString());
        assertEquals(jacobi(), List.copyOf(output));
    }

    private static Program program(String main) {
        return Program.ofClassPath(classes + File.pathSeparator + CLASS_PATH, main);
    }

    @ParameterizedTest
    @CsvSource({
        "README.md, HelloKotlinKt",
        "docs/tutorial/first-program.md, Hello",
        "docs/tutorial/halo-exchange.md, HaloExchange",
        "docs/tutorial/collectives.md, Jacobi",
        "docs/how-to/communicators.md, Tasks",
        "docs/tutorial/coroutines.md, CoroutinesKt",
        "docs/tutorial/message-driven.md, MessageDriven"
    })
    void itPrintsWhatThePageSays(String page, String main) throws IOException, InterruptedException {
        String text = DOCUMENTS.text(page);
        List<String> promised = Documents.find(text, "rints(?: `([^`]*)`|\n\n(?:    .*\n)+)");
        assertEquals(1, promised.size(), "the page says once what it prints");
        String expected = promised.get(0) != null
                ? promised.get(0)
                : Documents.find(text, "rints\n\n((?:    .*\n)+)")
                        .get(0)
                        .stripTrailing()
                        .stripIndent();
        Queue<String> output = new ConcurrentLinkedQueue<>();
        JobResult result = new Launcher(2, program(main))
                .graceSeconds(1)
                .messages(output::add)
                .output(RankOutput.captured((rank, error, line) -> output.add(line)))
                .start()
                .waitFor();
        assertEquals(0, result.status(), output.toString());
        assertEquals(expected.lines().toList(), List.copyOf(output), "and no warning on either JDK");
    }
}
