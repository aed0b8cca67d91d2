package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/** Where the project can be found, as {@code ./sluice dist} says it: what is given, or the origin of the clone. */
@Tag("once")
final class DistAddressProcessTest {
    private static final Path ROOT = Path.of(System.getProperty("sluice.root"));

    @TempDir
    private Path clone;

    private int status;

    private String run(String... command) throws IOException, InterruptedException {
        Path output = clone.resolveSibling(clone.getFileName() + ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), List.of(command)::toString);
        status = process.exitValue();
        String printed = Files.readString(output);
        Files.delete(output);
        return printed;
    }

    /** By the script's functions, in the clone. */
    private String script(String call, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                "set -euo pipefail; root=$1; . \"$2\"; shift 2; " + call,
                "bash",
                clone.toRealPath().toString(),
                ROOT + "/tools/address.sh"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new)).trim();
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", clone.toString()));
        command.addAll(List.of(arguments));
        String printed = run(command.toArray(String[]::new));
        assertEquals(0, status, printed);
    }

    @ParameterizedTest
    @CsvSource({
        "https://host.example/owner/sluice.git, https://host.example/owner/sluice",
        "https://host.example/sluice/, https://host.example/sluice",
        "http://host.example:8080/a/b/sluice, http://host.example:8080/a/b/sluice",
        "git@host.example:owner/sluice.git, https://host.example/owner/sluice",
        "git@host.example:owner/sluice, https://host.example/owner/sluice",
        "https://name:secret@host.example/owner/sluice.git, https://host.example/owner/sluice",
        "/somewhere/else, ''",
        "file:///somewhere/else, ''",
        "host.example:sluice.git, ''",
        "'https://host.example/a b<c>', ''",
    })
    void theOriginIsTakenIfItIsOnTheWeb(String origin, String expected) throws Exception {
        git("init", "-q");
        assertEquals("", script("own_address"), "without an origin");
        git("remote", "add", "origin", origin);
        assertEquals(expected, script("own_address"));
        assertEquals(0, status);
    }

    /** As copies of a checkout are built below it. */
    @Test
    void theOriginOfACloneAroundItIsNotTaken() throws Exception {
        git("init", "-q");
        git("remote", "add", "origin", "https://host.example/owner/other");
        clone = Files.createDirectory(clone.resolve("copy"));
        assertEquals("", script("own_address"));
        assertEquals(0, status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sluice", "", "ftp://host.example/a", "https://host.example", "https://me@host.example/a"})
    void whatIsNoAddressIsRefusedBeforeAnythingIsBuilt(String given) throws Exception {
        String printed = run("bash", ROOT + "/tools/dist.sh", "--url", given);
        assertEquals(2, status, printed);
        assertTrue(printed.startsWith("sluice dist: --url is '" + given + "'; it may be https://HOST/PATH"), printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sluice", "sluice-coroutines", "sluice-bom"})
    void pomsSayAllThatRepositoriesAskFor(String artefact) throws Exception {
        String pom = ROOT + "/jars/src/main/poms/" + artefact + ".pom";
        String without = script("with_address '' \"$1\"", pom);
        assertEquals(Files.readString(Path.of(pom)).trim(), without);
        Document document = parsed(script("with_address https://host.example/owner/sluice \"$1\"", pom));
        for (String path :
                List.of("groupId", "artifactId", "version", "name", "description", "licenses/license/name")) {
            assertTrue(!text(document, path).isEmpty(), path);
        }
        String authors = Files.readAllLines(ROOT.resolve("NOTICE")).get(1);
        assertTrue(authors.endsWith(text(document, "developers/developer/name")), authors);
        assertTrue(authors.endsWith(text(document, "organization/name")), authors);
        assertEquals("https://host.example/owner/sluice", text(document, "url"));
        assertEquals("https://host.example/owner/sluice", text(document, "scm/url"));
        assertEquals("scm:git:https://host.example/owner/sluice.git", text(document, "scm/connection"));
        assertEquals("scm:git:https://host.example/owner/sluice.git", text(document, "scm/developerConnection"));
    }

    private static Document parsed(String pom) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(pom.getBytes(StandardCharsets.UTF_8)));
    }

    private static String text(Document document, String path) throws Exception {
        return XPathFactory.newInstance().newXPath().evaluate("/project/" + path, document);
    }
}
