package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of Sluice's libraries are hidden from the loader of a jar that has jars in it. */
final class NestedJarsTest {
    private static final List<String> KOTLIN = List.of("kotlin.", "kotlinx.", "org.sluice.coroutines.");

    @TempDir
    private Path folder;

    private Path jar(String name, String... entries) throws IOException {
        Path jar = folder.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String entry : entries) {
                out.putNextEntry(new JarEntry(entry));
            }
        }
        return jar;
    }

    @Test
    void thoseThatItHasInItself() {
        assertEquals(List.of(), new NestedJars(Set.of()).hidden());
        assertEquals(List.of("org.jctools."), new NestedJars(Set.of("jctools-core-3.0.jar")).hidden());
        assertEquals(KOTLIN, new NestedJars(Set.of("kotlin-stdlib-1.9.25.jar", "sluice.jar")).hidden());
        assertEquals(
                List.of(),
                new NestedJars(Set.of("kotlin-stdlib-jdk8-1.9.25.jar", "sluice.jar")).hidden(),
                "another library");
    }

    /** Sluice's suspending functions speak of one Kotlin, which must be the program's. */
    @Test
    void kotlinOnlyWithSluice() {
        assertEquals(List.of(), new NestedJars(Set.of("kotlin-stdlib-1.9.25.jar")).hidden());
    }

    @Test
    void theJarIsThatOfTheMainClass() throws IOException {
        Path nested = jar("nested.jar", "my/Main.class", "BOOT-INF/lib/jctools-core-3.0.jar", "BOOT-INF/lib/other.jar");
        Path flat = jar("flat.jar", "my/Other.class");
        Path none = Files.writeString(folder.resolve("none.jar"), "no jar at all");
        String classPath = none + ":missing:" + flat + ":" + nested;
        assertEquals(
                Set.of("jctools-core-3.0.jar", "other.jar"),
                NestedJars.of(classPath, "my.Main").names());
        assertEquals(Set.of(), NestedJars.of(classPath, "my.Other").names());
        assertEquals(Set.of(), NestedJars.of(classPath, "my.Missing").names());
        Files.createDirectories(folder.resolve("classes/my"));
        Files.createFile(folder.resolve("classes/my/Main.class"));
        assertEquals(
                Set.of(),
                NestedJars.of(folder.resolve("classes") + ":" + classPath, "my.Main")
                        .names(),
                "a folder comes first");
    }
}
