package org.sluice.cli.dialect;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/**
 * The folders and jars of a class path in their order, with those that manifests name; what isn't there, or is no jar,
 * is passed over as java does. <i>Thread</i>: one.
 */
final class ClassPath implements Closeable {
    /** A folder's value is null. */
    private final Map<File, JarFile> places = new LinkedHashMap<>();
    /** Of one of them. */
    private NestedClasses nested;

    ClassPath(URL[] urls) {
        Deque<File> next = new ArrayDeque<>();
        for (URL url : urls) {
            next.add(new File(URI.create(url.toString())));
        }
        while (!next.isEmpty()) {
            File file = next.poll();
            if (file.isDirectory()) {
                places.putIfAbsent(file, null);
            } else if (file.isFile() && !places.containsKey(file)) {
                List<File> named = open(file);
                for (int i = named.size() - 1; i >= 0; i--) {
                    next.addFirst(named.get(i));
                }
            }
        }
    }

    /** @return what its manifest names */
    private List<File> open(File file) {
        List<File> named = new ArrayList<>();
        try {
            JarFile jar = new JarFile(file, false);
            places.put(file, jar);
            Manifest manifest = jar.getManifest();
            String others =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (others != null) {
                for (String other : others.trim().split("\\s+")) {
                    URI place = file.toURI().resolve(other);
                    if ("file".equals(place.getScheme())) {
                        named.add(new File(place.normalize()));
                    }
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // No jar, or a path that is none: java doesn't find anything there either.
            return named;
        }
        return named;
    }

    /**
     * Looks into jars that lie in the jar of the main class, too, from now on.
     *
     * @return the class that the loader in that jar starts; empty where there is none
     */
    Optional<String> addNested(String mainClass) {
        List<File> holding = holding(mainClass.replace('.', '/') + ".class");
        if (holding.isEmpty() || places.get(holding.get(0)) == null) {
            return Optional.empty();
        }
        nested = NestedClasses.in(holding.get(0)).orElse(null);
        return nested == null ? Optional.empty() : nested.startClass();
    }

    /** Whether a jar in a jar that was looked into has it. */
    boolean isNested(String name) {
        return nested != null && nested.read(name) != null;
    }

    /** The first of that name; null if there is none. */
    byte[] read(String name) {
        for (Map.Entry<File, JarFile> place : places.entrySet()) {
            byte[] found = read(place.getKey(), place.getValue(), name);
            if (found != null) {
                return found;
            }
        }
        return nested == null ? null : nested.read(name);
    }

    /** All folders and jars that have it. */
    List<File> holding(String name) {
        List<File> holding = new ArrayList<>();
        places.forEach((file, jar) -> {
            if (jar == null ? new File(file, name).isFile() : jar.getEntry(name) != null) {
                holding.add(file);
            }
        });
        return holding;
    }

    /** Of one of {@link #holding}. */
    byte[] read(File place, String name) {
        return read(place, places.get(place), name);
    }

    private static byte[] read(File file, JarFile jar, String name) {
        try {
            if (jar == null) {
                File found = new File(file, name);
                return found.isFile() ? Files.readAllBytes(found.toPath()) : null;
            }
            ZipEntry entry = jar.getEntry(name);
            if (entry == null) {
                return null;
            }
            try (InputStream in = jar.getInputStream(entry)) {
                return in.readAllBytes();
            }
        } catch (IOException | UncheckedIOException e) {
            // The rank's JVM is the one to say so, if it wants this class.
            return null;
        }
    }

    @Override
    public void close() {
        if (nested != null) {
            nested.close();
        }
        for (JarFile jar : places.values()) {
            try {
                if (jar != null) {
                    jar.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
