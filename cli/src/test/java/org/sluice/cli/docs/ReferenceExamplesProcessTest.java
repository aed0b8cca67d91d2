package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;

/** The examples of the reference are real source files, and they do what their pages say. */
@Timeout(90)
final class ReferenceExamplesProcessTest {
    private static final String BEGIN = "// page begin\n";
    private static final String END = "// page end";

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

    /** @param up from the document's folder to the root */
    private void assertIn(String document, String up, String language, String file) throws IOException {
        String readme = documents.text(document);
        List<String> blocks = Documents.find(readme, "```" + language + "\n((?s:.*?))```");
        assertEquals(List.of(exampleIn(documents.text(file))), blocks);
        assertTrue(readme.contains("(" + up + file + ")"), document + " links to " + file);
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
        assertIn(
                "docs/reference/handlers.md", "../../", "java", "bench/src/test/java/example/hello/HelloHandlers.java");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0.0", "2, 2, 1.0", "4, 4, 6.0", "4, 1, 6.0"})
    void theExampleOfHandlersAddsUpWhatTheOthersHave(int ranks, int jvms, double sum) throws InterruptedException {
        assertEquals(0, run(ranks, jvms, "example.hello.HelloHandlers").status(), output.toString());
        assertEquals(List.of("the others add up to " + sum), List.copyOf(output));
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
