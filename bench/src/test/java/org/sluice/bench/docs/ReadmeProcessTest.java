package org.sluice.bench.docs;

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
import org.sluice.hybrid.launch.JobResult;
import org.sluice.hybrid.launch.Launcher;
import org.sluice.hybrid.launch.Program;
import org.sluice.hybrid.launch.RankOutput;

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
        return source.substring(source.indexOf('\n', begin) + 1, source.lastIndexOf('\n', end)).stripIndent() + "\n";
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
        assertIn("docs/coroutines.md", "../", "kotlin", "bench/src/test/kotlin/example/hello/HelloCoroutines.kt");
    }

    @ParameterizedTest
    @CsvSource({"Hello, 1", "Hello, 2", "HelloKotlinKt, 1", "HelloKotlinKt, 2", "HelloCoroutinesKt, 1", "HelloCoroutinesKt, 2"})
    void theExamplesRunAsTwoRanks(String main, int jvms) throws InterruptedException {
        Program program = Program.ofClassPath(System.getProperty("java.class.path"), "example.hello." + main);
        JobResult result = new Launcher(2, program).jvms(jvms).graceSeconds(1).messages(output::add)
                .output(RankOutput.captured((rank, error, line) -> output.add(line))).start().waitFor();
        assertEquals(0, result.status(), output.toString());
        assertEquals(List.of("3 doubles from rank 0"), List.copyOf(output), "and no warning on either JDK");
    }
}
