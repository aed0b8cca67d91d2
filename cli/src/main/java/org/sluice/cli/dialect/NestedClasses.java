package org.sluice.cli.dialect;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Classes that a jar has for a loader that it brings: in a folder of its own, and in jars in it, as those of Spring
 * Boot and One-JAR are. A jar in a jar is in memory while it is looked into. <i>Thread</i>: one.
 *
 * <p>Proof: {@code DialectsTest}.
 */
final class NestedClasses implements Closeable {
    /** Of all jars in a jar. More would delay the start: the user is asked for the dialect where it is missed. */
    static final long MOST_BYTES = 128L << 20;

    private static final List<String> FOLDERS = List.of("BOOT-INF/classes", "WEB-INF/classes");
    private static final List<String> START_CLASS = List.of("Start-Class", "One-Jar-Main-Class");
    /** Whose main class One-JAR starts, if the manifest names none. */
    private static final String MAIN_JAR = "main/main.jar";

    private static final String MANIFEST = "META-INF/MANIFEST.MF";

    /** The outer one first, as the others read from it. */
    private final List<FileSystem> opened = new ArrayList<>();

    private final List<Path> places = new ArrayList<>();
    private String startClass;

    private NestedClasses() {}

    /** Empty for a jar that has none, for what is no jar, and for one that is too large. */
    static Optional<NestedClasses> in(File file) {
        NestedClasses found = new NestedClasses();
        try (JarFile jar = new JarFile(file, false)) {
            List<String> nested = new ArrayList<>();
            long bytes = 0;
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (entry.getName().endsWith(".jar")) {
                    nested.add(entry.getName());
                    bytes += Math.max(0, entry.getSize());
                }
            }
            boolean hasFolder = FOLDERS.stream().anyMatch(folder -> jar.getEntry(folder + "/") != null);
            if (bytes > MOST_BYTES || nested.isEmpty() && !hasFolder) {
                return Optional.empty();
            }
            found.open(file.toPath(), nested);
            found.startClass = found.startClass(jar.getManifest());
            return Optional.of(found);
        } catch (IOException | UncheckedIOException | IllegalArgumentException | ProviderNotFoundException e) {
            // It can't be read, or this Java has no jdk.zipfs: the user is asked for the dialect where it is missed.
            found.close();
            return Optional.empty();
        }
    }

    private void open(Path jar, List<String> nested) throws IOException {
        FileSystem outer = FileSystems.newFileSystem(jar);
        opened.add(outer);
        for (String folder : FOLDERS) {
            if (Files.isDirectory(outer.getPath(folder))) {
                places.add(outer.getPath(folder));
            }
        }
        for (String name : nested) {
            try {
                FileSystem inner = FileSystems.newFileSystem(outer.getPath(name), Map.of());
                opened.add(inner);
                Path root = inner.getPath("/");
                places.add(root);
                startClass = name.equals(MAIN_JAR) ? mainClass(root) : startClass;
            } catch (IOException | IllegalArgumentException | ProviderNotFoundException e) {
                // No jar, whatever its name: the program's loader is the one to say so.
                continue;
            }
        }
    }

    private static String mainClass(Path root) throws IOException {
        try (InputStream in = Files.newInputStream(root.resolve(MANIFEST))) {
            return new Manifest(in).getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
        }
    }

    private String startClass(Manifest manifest) {
        for (String name : START_CLASS) {
            String named =
                    manifest == null ? null : manifest.getMainAttributes().getValue(name);
            if (named != null) {
                return named;
            }
        }
        return startClass;
    }

    /** The main class that the jar's own loader looks for; empty where the jar names none. */
    Optional<String> startClass() {
        return Optional.ofNullable(startClass).map(String::trim);
    }

    /** The first of that name; null if there is none. */
    byte[] read(String name) {
        try {
            for (Path place : places) {
                Path found = place.resolve(name);
                if (Files.isRegularFile(found)) {
                    return Files.readAllBytes(found);
                }
            }
            return null;
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            // The rank's JVM is the one to say so, if it wants this class.
            return null;
        }
    }

    @Override
    public void close() {
        try {
            for (int i = opened.size() - 1; i >= 0; i--) {
                opened.get(i).close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
