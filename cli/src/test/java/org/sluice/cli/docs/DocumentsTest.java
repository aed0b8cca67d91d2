package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;

/** Files that the documents name exist, links lead somewhere, and no error goes undescribed. */
final class DocumentsTest {
    private static final String NAMED_IN_A_COMMENT =
            "\\{@code\\s+(?:\\* )?([A-Z]\\w+(?:Test|Stress|Conformance|Cases))\\}";

    private final Documents documents = new Documents();

    @Test
    void everyFileOnTheWayOfAMessageExists() throws IOException {
        List<String> named = Documents.find(documents.text("docs/explanation/path.md"), "`([a-z]+/[^` ]+)`");
        assertTrue(named.size() >= 20, "the page names only " + named);
        assertEquals(
                List.of(),
                named.stream()
                        .filter(path -> !Files.exists(documents.root.resolve(path)))
                        .collect(Collectors.toList()));
    }

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path document : documents.all()) {
            for (String link : Documents.find(Files.readString(document), "\\]\\(([^)#]+)(?:#[^)]*)?\\)")) {
                links++;
                if (!link.startsWith("http") && !Files.exists(document.resolveSibling(link))) {
                    broken.add(documents.root.relativize(document) + ": " + link);
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(links >= 10, "only " + links + " links were found");
    }

    /** Where people and tools look first for whom to tell of a hole. */
    @Test
    void theFileAboutSecurityLeadsToItsPage() throws IOException {
        assertTrue(Documents.find(documents.text("SECURITY.md"), "\\]\\((docs/[^)#]*security.md)")
                        .size()
                > 0);
    }

    @Test
    void everyPlaceThatALinkNamesExists() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path document : documents.all()) {
            Matcher link = Pattern.compile("\\]\\(((?!http)[^)#]*)#([^)]+)\\)").matcher(Files.readString(document));
            while (link.find()) {
                links++;
                Path page = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
                if (!places(page).contains(link.group(2))) {
                    broken.add(documents.root.relativize(document) + ": " + link.group());
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(links >= 10, "only " + links + " links were found");
    }

    /** Headings as they are named in addresses. */
    private static Set<String> places(Path page) throws IOException {
        return Documents.find(Files.readString(page), "^#+ (.+)$").stream()
                .map(heading -> heading.replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1"))
                .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", ""))
                .map(heading -> heading.replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** What does not fit there stands on another page. */
    @Test
    void theReadmeIsRead() throws IOException {
        long lines = documents.text("README.md").lines().count();
        assertTrue(lines <= 150, lines + " lines");
    }

    @Test
    void everyPageSaysFirstWhatItIsFor() throws IOException {
        List<String> silent = new ArrayList<>();
        for (Path document : documents.all()) {
            if (!isDecision(document)
                    && !Files.readString(document).matches("(?s)# [^\n]+\n\n[A-Z`\\[][^|]{20,}?[.:](\\s.*)?")) {
                silent.add(documents.root.relativize(document).toString());
            }
        }
        assertEquals(List.of(), silent);
    }

    /** A document that names a test as proof is wrong when there is no such test. */
    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Set<String> classes;
        try (Stream<Path> files = Files.walk(documents.root)) {
            classes = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(".*\\.(java|kt)"))
                    .map(name -> name.substring(0, name.lastIndexOf('.')))
                    .collect(Collectors.toSet());
        }
        Set<String> missing = new TreeSet<>();
        int named = 0;
        for (Path document : documents.all()) {
            for (String test :
                    Documents.find(Files.readString(document), "`((?!MPI_)[A-Z]\\w+(?:Test|Stress|Conformance))`")) {
                named++;
                if (!classes.contains(test)) {
                    missing.add(documents.root.relativize(document) + ": " + test);
                }
            }
        }
        assertEquals(Set.of(), missing);
        assertTrue(named >= 5, "only " + named + " tests are named");
    }

    /** The same in the comments of sources: what a class names as its proof is there. */
    @Test
    void everyTestThatASourceNamesExists() throws IOException {
        Set<String> classes = new TreeSet<>();
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(documents.root)) {
            files.filter(file -> file.toString().matches(".*/src/.*\\.(java|kt)"))
                    .forEach(file -> {
                        sources.add(file);
                        classes.add(file.getFileName().toString().replaceFirst("\\.(java|kt)$", ""));
                    });
        }
        Set<String> missing = new TreeSet<>();
        int named = 0;
        for (Path source : sources) {
            for (String test : Documents.find(Files.readString(source), NAMED_IN_A_COMMENT)) {
                named++;
                if (!classes.contains(test)) {
                    missing.add(documents.root.relativize(source) + ": " + test);
                }
            }
        }
        assertEquals(Set.of(), missing);
        assertTrue(named >= 40, "only " + named + " tests are named");
    }

    /** What it says of an access holds only for the code that it names: a class's member, or a field of a class. */
    @Test
    void everyMemberThatThePageOfMemoryOrderNamesExists() throws IOException {
        Map<String, StringBuilder> code = new HashMap<>();
        try (Stream<Path> files = Files.walk(documents.root)) {
            for (Path file : files.filter(file -> file.toString().matches(".*/src/main/java/.*\\.java"))
                    .toList()) {
                String withoutComments = Files.readString(file).replaceAll("(?s)/\\*.*?\\*/|//[^\n]*", "");
                code.computeIfAbsent(file.getFileName().toString().replace(".java", ""), name -> new StringBuilder())
                        .append(withoutComments);
            }
        }
        String page = documents.text("docs/explanation/memory-order.md");
        Set<String> named = new TreeSet<>(Documents.find(page, "`([A-Z]\\w+\\.[a-z]\\w*)`"));
        for (String field : Documents.find(page, "((?:`[a-z]\\w*`[ ,a-z]*)+ of `[A-Z]\\w+`)")) {
            String type = field.replaceFirst(".* of `(\\w+)`", "$1");
            Documents.find(field, "`([a-z]\\w*)`").forEach(member -> named.add(type + "." + member));
        }
        List<String> missing = new ArrayList<>();
        for (String each : named) {
            String[] parts = each.split("\\.");
            if (!Pattern.compile("\\b" + parts[1] + "\\b")
                    .matcher(code.getOrDefault(parts[0], new StringBuilder()))
                    .find()) {
                missing.add(each);
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(named.size() >= 40, "the page names only " + named);
    }

    @Test
    void everyErrorCodeIsDescribed() throws IOException {
        List<String> described = Documents.find(documents.text("docs/reference/errors.md"), "^### `?([A-Z_]+)`?$");
        List<String> codes = Arrays.stream(ErrorCode.values()).map(Enum::name).collect(Collectors.toList());
        assertEquals(codes, described, "docs/reference/errors.md has one heading for each constant, in their order");
    }

    @Test
    void everyDecisionSaysWhatItCostsAndHowItCouldBeWrong() throws IOException {
        int decisions = 0;
        for (Path document : documents.all()) {
            if (isDecision(document)) {
                decisions++;
                assertEquals(
                        List.of("Context", "Decision", "Cost", "How we would know that it is wrong"),
                        Documents.find(Files.readString(document), "^## (.+)$"),
                        document.toString());
            }
        }
        assertTrue(decisions >= 7, "only " + decisions + " decisions");
    }

    /** Once each, with the title that it has. */
    @Test
    void everyDecisionIsInTheIndex() throws IOException {
        List<String> titles = new ArrayList<>();
        for (Path document : documents.all()) {
            if (isDecision(document)) {
                String title = Files.readAllLines(document).get(0);
                String number = title.substring(2, 6);
                titles.add("| [" + number + "](" + document.getFileName() + ") | " + title.substring(7) + " |");
            }
        }
        List<String> listed = Documents.find(documents.text("docs/project/adr/README.md"), "^(\\| \\[[0-9].*)$");
        assertEquals(titles, listed.stream().sorted().toList());
    }

    private static boolean isDecision(Path document) {
        return document.getParent().endsWith("adr")
                && Character.isDigit(document.getFileName().toString().charAt(0));
    }
}
