package org.sluice.bench.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
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

/** The README's examples, and those of other pages, are real source files, and they do what it says. */
@Timeout(90)
final class ReadmeProcessTest {
    private static final String BEGIN = "// README begin\n";
    private static final String END = "// README end";

    private final Documents documents = new Documents();
    private final Queue<String> output = new ConcurrentLinkedQueue<>();

    private static String exampleIn(String source) {
        int begin = source.indexOf(BEGIN);
        int end = source.indexOf(END);
        assertTrue(begin >= 0 && end > begin, "the source marks the example");
        // A blank last line would count as one without indentation.
        return source.substring(source.indexOf('\n', begin) + 1, source.lastIndexOf('\n', end))
                        .stripIndent() + "\n";
    }

    private void assertInReadme(String language, String file) throws IOException {
        assertIn("README.md", "", language, file);
    }

    /** @param up from the document's folder to the root */
    private void assertIn(String document, String up, String language, String file) throws IOException {
        String readme = documents.text(document);
        List<String> blocks = Documents.find(readme, "```" + language + "\n((?s:.*?))```");
        assertEquals(List.of(exampleIn(documents.text(file))), blocks);
        assertTrue(readme.contains("(" + up + file + ")"), document + " links to " + file);
    }

    @Test
    void theJavaExampleIsTheSource() throws IOException {
        assertInReadme("java", "bench/src/test/java/example/hello/Hello.java");
    }

    @Test
    void theKotlinExampleIsTheSource() throws IOException {
        assertInReadme("kotlin", "bench/src/test/kotlin/example/hello/HelloKotlin.kt");
    }

    @Test
    void theExampleOfCoroutinesIsTheSource() throws IOException {
        assertIn(
                "docs/reference/coroutines.md",
                "../../",
                "kotlin",
                "bench/src/test/kotlin/example/hello/HelloCoroutines.kt");
    }

    @Test
    void theExampleOfHandlersIsTheSource() throws IOException {
        assertIn("docs/reference/handlers.md", "../../", "java", "bench/src/test/java/example/hello/HelloHandlers.java");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0.0", "2, 2, 1.0", "4, 4, 6.0", "4, 1, 6.0"})
    void theExampleOfHandlersAddsUpWhatTheOthersHave(int ranks, int jvms, double sum) throws InterruptedException {
        assertEquals(0, run(ranks, jvms, "example.hello.HelloHandlers").status(), output.toString());
        assertEquals(List.of("the others add up to " + sum), List.copyOf(output));
    }

    /** By the command that the page gives, but for the places of its files; the compiler is the build's. */
    @Tag("all")
    @Test
    void theExampleOfCoroutinesCompilesAgainstTheJarAlone(@TempDir Path folder) throws Exception {
        Path jar = documents.root.resolve(".build/lib/sluice.jar");
        assumeTrue(Files.exists(jar), "the jar is not built: " + jar);
        List<String> commands = Documents.find(documents.text("docs/reference/coroutines.md"), "    kotlinc (.*)\n");
        assertEquals(1, commands.size(), "the page has one command that compiles");
        String source = documents
                .root
                .resolve("bench/src/test/kotlin/example/hello/HelloCoroutines.kt")
                .toString();
        String shell = "kotlinc() { " + JavaHome.current().command() + " -cp '" + compiler()
                + "' org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect \"$@\"; }\nkotlinc "
                + commands.get(0)
                        .replace("-d classes", "-d " + folder.resolve("classes"))
                        .replace("Mine.kt", source);
        List<String> command = List.of("bash", "-c", shell);
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command)
                .directory(documents.root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertTrue(process.waitFor(80, TimeUnit.SECONDS), () -> "it does not end: " + command);
        } finally {
            process.destroyForcibly();
        }
        assertEquals(0, process.exitValue(), Files.readString(log));
        assertTrue(
                Files.exists(folder.resolve("classes/example/hello/HelloCoroutinesKt.class")), Files.readString(log));
    }

    /** What the build compiles with lies beside Kotlin's library, in Maven's repository. */
    private static String compiler() {
        Path library =
                Path.of(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> entry.matches(".*/kotlin-stdlib-[0-9.]+\\.jar"))
                        .findFirst()
                        .orElseThrow());
        String version = library.getParent().getFileName().toString();
        Path kotlin = library.getParent().getParent().getParent();
        List<String> parts = new ArrayList<>(List.of(System.getProperty("java.class.path")));
        for (String part : List.of("kotlin-compiler-embeddable", "kotlin-script-runtime", "kotlin-daemon-embeddable")) {
            parts.add(kotlin.resolve(part)
                    .resolve(version)
                    .resolve(part + "-" + version + ".jar")
                    .toString());
        }
        return String.join(File.pathSeparator, parts);
    }

    private JobResult run(int ranks, int jvms, String main) throws InterruptedException {
        Program program = Program.ofClassPath(System.getProperty("java.class.path"), main);
        return new Launcher(ranks, program)
                .jvms(jvms)
                .graceSeconds(1)
                .messages(output::add)
                .output(RankOutput.captured((rank, error, line) -> output.add(line)))
                .start()
                .waitFor();
    }

    @ParameterizedTest
    @CsvSource({
        "Hello, 1",
        "Hello, 2",
        "HelloKotlinKt, 1",
        "HelloKotlinKt, 2",
        "HelloCoroutinesKt, 1",
        "HelloCoroutinesKt, 2"
    })
    void theExamplesRunAsTwoRanks(String main, int jvms) throws InterruptedException {
        JobResult result = run(2, jvms, "example.hello." + main);
        assertEquals(0, result.status(), output.toString());
        assertEquals(List.of("3 doubles from rank 0"), List.copyOf(output), "and no warning on either JDK");
    }
}
