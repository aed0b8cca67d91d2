package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The repository's documents, and the few things that tests read in them. */
final class Documents {
    final Path root = root();

    private static Path root() {
        String given = System.getProperty("sluice.root");
        Path root = given == null ? Path.of("..").toAbsolutePath().normalize() : Path.of(given);
        assertTrue(Files.isExecutable(root.resolve("sluice")), root + " is not the root of the repository");
        return root;
    }

    String text(String path) throws IOException {
        return Files.readString(root.resolve(path));
    }

    /** Those at the root, and everything in docs. */
    List<Path> all() throws IOException {
        List<Path> found = new ArrayList<>();
        for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")) {
            found.add(root.resolve(name));
        }
        try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
            found.addAll(files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .collect(Collectors.toList()));
        }
        return found;
    }

    /** All that the pattern's first group matches, in order. */
    static List<String> find(String text, String pattern) {
        List<String> found = new ArrayList<>();
        Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
