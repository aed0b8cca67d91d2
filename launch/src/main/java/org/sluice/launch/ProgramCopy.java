package org.sluice.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What of a program's class path is brought to machines that don't have it: files and folders, and what jars name in
 * their manifests beside them. Each lies there at the place that it has here, below a folder of its own, so that jars
 * find each other.
 *
 * <p>Thread: any, immutable.
 *
 * <p>Fails: {@link IllegalArgumentException} where it is more than a class path can be meant to be.
 *
 * <p>Proof: {@code ProgramCopyTest}, {@code HostsNodesTest}.
 */
final class ProgramCopy {
    /** A home folder that is named by mistake is more. */
    private static final int MOST_FILES = 100_000;

    private static final long MOST_BYTES = 4L << 30;

    private final Path folder;
    private final int mostFiles;
    private final Set<Path> entries = new LinkedHashSet<>();
    private final Set<Path> files = new LinkedHashSet<>();
    private long bytes;

    private ProgramCopy(Path folder, int mostFiles) {
        this.folder = folder;
        this.mostFiles = mostFiles;
    }

    /**
     * @param classPath as java takes it; what isn't there is passed over, as by java
     * @param folder by which relative entries are read
     */
    static ProgramCopy of(String classPath, Path folder) {
        return of(classPath, folder, MOST_FILES);
    }

    static ProgramCopy of(String classPath, Path folder, int mostFiles) {
        ProgramCopy copy = new ProgramCopy(folder.toAbsolutePath(), mostFiles);
        try {
            for (String entry : classPath.split(File.pathSeparator, -1)) {
                copy.addEntry(entry);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalArgumentException("--copy: the class path can't be read: " + e.getMessage(), e);
        }
        return copy;
    }

    private void addEntry(String entry) throws IOException {
        Path path = place(entry);
        entries.add(path);
        if (isWildcard(entry)) {
            try (Stream<Path> beside = Files.list(path.getParent())) {
                for (Path jar : beside.filter(ProgramCopy::isJar).sorted().toList()) {
                    addJar(jar);
                }
            }
        } else if (Files.isDirectory(path)) {
            try (Stream<Path> inside = Files.walk(path, FileVisitOption.FOLLOW_LINKS)) {
                for (Path file : (Iterable<Path>) inside.filter(Files::isRegularFile)::iterator) {
                    addFile(file);
                }
            }
        } else if (Files.isRegularFile(path)) {
            addJar(path);
        }
    }

    private Path place(String entry) {
        return folder.resolve(entry).normalize();
    }

    private boolean isWildcard(String entry) {
        Path path = place(entry);
        return Program.isWildcard(entry) && !Files.exists(path) && Files.isDirectory(path.getParent());
    }

    private static boolean isJar(Path file) {
        return file.toString().endsWith(".jar") || file.toString().endsWith(".JAR");
    }

    private boolean addFile(Path file) throws IOException {
        if (!files.add(file)) {
            return false;
        }
        bytes += Files.size(file);
        if (files.size() > mostFiles || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("--copy: the class path holds more than " + mostFiles + " files or "
                    + (MOST_BYTES >> 30) + " GB, up to " + file
                    + "; name the program's own folders and jars, or have them on a shared file system");
        }
        return true;
    }

    private void addJar(Path jar) throws IOException {
        if (!addFile(jar)) {
            return;
        }
        String named = namedBy(jar);
        for (String each : named.isBlank() ? new String[0] : named.trim().split("\\s+")) {
            Path beside = besides(jar, each);
            if (beside != null && Files.isDirectory(beside)) {
                addEntry(beside.toString());
            } else if (beside != null && Files.isRegularFile(beside)) {
                addJar(beside);
            }
        }
    }

    private static String namedBy(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String named =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return named == null ? "" : named;
        } catch (IOException e) {
            // No jar, which java passes over as well.
            return "";
        }
    }

    /** What a manifest names by where the jar is; null for what it names otherwise, which has to be there already. */
    private static Path besides(Path jar, String named) {
        try {
            URI uri = URI.create(named);
            return uri.isAbsolute()
                    ? null
                    : Path.of(jar.toUri().resolve(uri)).toAbsolutePath().normalize();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Absolute. */
    Set<Path> files() {
        return files;
    }

    /** Where such a file lies, as an agent is told: by its folder. */
    static String inside(Path absolute) {
        return Path.of("/").relativize(absolute).toString();
    }

    /** A class path, in which what was copied is named by the folder of the copy. */
    String on(String root, String classPath) {
        return Stream.of(classPath.split(File.pathSeparator, -1))
                .map(entry -> entries.contains(place(entry)) ? root + place(entry) : entry)
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Override
    public String toString() {
        return List.copyOf(entries).toString();
    }
}
