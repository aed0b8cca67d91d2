package org.sluice.launch;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;

/**
 * Libraries that lie as jars in a program's jar, as those of Spring Boot do. The loader that such a jar brings asks the
 * one above it first, so that what stands behind the program for Sluice would stand in front of these; hidden from it,
 * the program's own win.
 *
 * <p>Proof: {@code NestedJarsTest}, {@code NestedJarProcessTest}.
 *
 * @param names without their folders
 */
record NestedJars(Set<String> names) {
    /**
     * Sluice speaks of Kotlin to programs, so of both there must be one pair: where Sluice isn't nested too, ours
     * serves all.
     */
    private static final List<String> OF_KOTLIN = List.of("kotlin.", "kotlinx.", "org.sluice.coroutines.");

    /** Those of the jar that the main class lies in. */
    static NestedJars of(String classPath, String mainClass) {
        String main = mainClass.replace('.', '/') + ".class";
        for (URL url : Program.urls(classPath)) {
            File file = new File(URI.create(url.toString()));
            if (file.isDirectory() && new File(file, main).exists()) {
                break;
            }
            if (file.isFile() && holds(file, main)) {
                return in(file);
            }
        }
        return new NestedJars(Set.of());
    }

    private static boolean holds(File jar, String entry) {
        try (JarFile file = new JarFile(jar)) {
            return file.getEntry(entry) != null;
        } catch (IOException e) {
            // No jar: the loader passes over it, too.
            return false;
        }
    }

    static NestedJars in(File jar) {
        try (JarFile file = new JarFile(jar)) {
            return new NestedJars(file.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".jar"))
                    .map(name -> name.substring(name.lastIndexOf('/') + 1))
                    .collect(Collectors.toSet()));
        } catch (IOException e) {
            return new NestedJars(Set.of());
        }
    }

    /** The packages whose classes the program's own loader must find for itself, each with its dot. */
    List<String> hidden() {
        List<String> hidden = new ArrayList<>();
        if (holds("jctools-core")) {
            hidden.add("org.jctools.");
        }
        if (holds("kotlin-stdlib") && names.stream().anyMatch(name -> name.startsWith("sluice"))) {
            hidden.addAll(OF_KOTLIN);
        }
        return hidden;
    }

    private boolean holds(String library) {
        return names.stream().anyMatch(name -> name.matches(library + "(-[0-9].*)?\\.jar"));
    }
}
