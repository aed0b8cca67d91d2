package org.sluice.cli.law;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Options;

/** What a reader can rely on in every source file of the repository. */
@Tag("once")
final class LimitsTest {

    private static final int COLUMNS = 120;
    private static final Set<String> NOT_SOURCES = Set.of("target", ".git", ".build");
    private static final Set<String> NAMED_AFTER_NOTHING =
            Set.of("util", "utils", "common", "core", "impl", "helper", "helpers", "misc");

    private final Path root = root();

    /** Checkstyle counts the lines of methods, and of nothing but Java. */
    @Test
    void linesAreShort() throws IOException {
        List<String> tooLong = new ArrayList<>();
        List<Path> read = sources(".java", ".kt", ".c", ".h", ".sh");
        read.add(root.resolve("sluice"));
        read.add(root.resolve("jars/src/main/bin/sluice"));
        for (Path source : read) {
            List<String> lines = Files.readAllLines(source);
            for (int line = 0; line < lines.size(); line++) {
                if (lines.get(line).length() > COLUMNS && !lines.get(line).startsWith("import ")) {
                    tooLong.add(root.relativize(source) + ":" + (line + 1));
                }
            }
        }
        assertEquals(List.of(), tooLong);
    }

    @Test
    void packagesAreNamedAfterSomething() throws IOException {
        List<Path> badlyNamed = packages("main", "test").stream()
                .filter(path -> NAMED_AFTER_NOTHING.contains(path.getFileName().toString()))
                .collect(Collectors.toList());
        assertEquals(List.of(), badlyNamed);
    }

    @Test
    void everyPackageSaysWhatItIsFor() throws IOException {
        Set<String> silent = new TreeSet<>();
        for (Path directory : packages("main")) {
            // The words about a Kotlin package stand on the Java side, where the doc tool looks for them.
            String java = directory.toString().replace("src/main/kotlin", "src/main/java");
            if (!Files.exists(Path.of(java, "package-info.java"))) {
                silent.add(root.relativize(Path.of(java)).toString());
            }
        }
        assertEquals(Set.of(), silent);
    }

    /**
     * What stands in a script's environment stands in its ranks' as well, which warn of variables that are no option.
     */
    @Test
    void variablesThatScriptsReadAreKnown() throws IOException {
        Set<String> read = new TreeSet<>();
        List<Path> scripts = sources(".sh");
        scripts.addAll(List.of(root.resolve("sluice"), root.resolve(".ci/run")));
        for (Path script : scripts) {
            Matcher variable = Pattern.compile("\\bSLUICE_[A-Z_]+").matcher(Files.readString(script));
            while (variable.find()) {
                read.add(variable.group());
            }
        }
        assertTrue(read.contains("SLUICE_INSTALL"), read::toString);
        assertEquals(List.of(), Options.typos(List.of(), read));
    }

    private List<Path> sources(String... endings) throws IOException {
        List<Path> found = files().filter(path -> Stream.of(endings).anyMatch(path.toString()::endsWith))
                .collect(Collectors.toList());
        assertTrue(found.size() > 10, "only " + found.size() + " files of this kind under " + root);
        return found;
    }

    private Set<Path> packages(String... trees) throws IOException {
        Set<Path> directories = sources(".java", ".kt").stream()
                .map(Path::getParent)
                .filter(path ->
                        Stream.of(trees).anyMatch(tree -> path.toString().contains("/src/" + tree + "/")))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(directories.size() >= 5, "only " + directories.size() + " packages under " + root);
        return directories;
    }

    private Stream<Path> files() throws IOException {
        List<Path> found = new ArrayList<>();
        List<Path> open = new ArrayList<>(List.of(root));
        while (!open.isEmpty()) {
            try (Stream<Path> entries = Files.list(open.remove(open.size() - 1))) {
                for (Path entry : entries.collect(Collectors.toList())) {
                    if (!Files.isDirectory(entry)) {
                        found.add(entry);
                    } else if (!NOT_SOURCES.contains(entry.getFileName().toString())) {
                        open.add(entry);
                    }
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        return found.stream().sorted();
    }

    static Path root() {
        String given = System.getProperty("sluice.root");
        Path root = given == null ? Path.of("..").toAbsolutePath().normalize() : Path.of(given);
        assertTrue(Files.isExecutable(root.resolve("sluice")), root + " is not the root of the repository");
        return root;
    }
}
