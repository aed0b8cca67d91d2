package org.sluice.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * What a user wants to run: a class path, a main class, and the flags that an executable jar asks for in its manifest,
 * which the JVM heeds only under -jar.
 */
public record Program(String classPath, String mainClass, List<String> jvmFlags) {
    public static Program ofClassPath(String classPath, String mainClass) {
        if (mainClass.isBlank()) {
            throw new IllegalArgumentException("no main class is given; it follows the class path: -cp CP MAIN");
        }
        return new Program(classPath, mainClass, List.of());
    }

    /** Reads an executable jar; the jars of its Class-Path are found by the JVM. */
    public static Program ofJar(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("there is no jar " + jar + "; give the path of an executable jar");
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            Attributes main = manifest == null ? new Attributes() : manifest.getMainAttributes();
            String mainClass = main.getValue(Attributes.Name.MAIN_CLASS);
            if (mainClass == null) {
                throw new IllegalArgumentException(
                        jar + " names no Main-Class in its manifest; use -cp " + jar + " MAIN");
            }
            List<String> flags = new ArrayList<>();
            addFlags(flags, "--add-opens=", main.getValue("Add-Opens"));
            addFlags(flags, "--add-exports=", main.getValue("Add-Exports"));
            return new Program(jar.toString(), mainClass.trim(), flags);
        } catch (IOException e) {
            throw new IllegalArgumentException(jar + " can't be read as a jar: " + e.getMessage(), e);
        }
    }

    Program withClassPath(String other) {
        return new Program(other, mainClass, jvmFlags);
    }

    private static void addFlags(List<String> flags, String flag, String packages) {
        if (packages != null) {
            for (String name : packages.trim().split("\\s+")) {
                flags.add(flag + name + "=ALL-UNNAMED");
            }
        }
    }

    /** The class path for a loader, as the java command takes it. */
    public URL[] urls() {
        return urls(classPath);
    }

    /**
     * What doesn't exist is passed over, an empty entry is the working folder, and "folder/*" its jars, in any order.
     */
    static URL[] urls(String classPath) {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            List<File> jars = isWildcard(entry) ? jars(entry.substring(0, entry.length() - 1)) : List.of();
            for (File file : jars.isEmpty() ? List.of(new File(entry)) : jars) {
                try {
                    urls.add(file.toURI().toURL());
                } catch (MalformedURLException e) {
                    throw new IllegalArgumentException(
                            "class path entry '" + entry + "' can't be understood: " + e.getMessage(), e);
                }
            }
        }
        return urls.toArray(URL[]::new);
    }

    /** A file that is called so is itself. */
    static boolean isWildcard(String entry) {
        return (entry.equals("*") || entry.endsWith(File.separator + "*")) && !new File(entry).exists();
    }

    private static List<File> jars(String folder) {
        File[] jars = new File(folder.isEmpty() ? "." : folder)
                .listFiles((in, name) -> name.endsWith(".jar") || name.endsWith(".JAR"));
        return jars == null ? List.of() : List.of(jars);
    }

    /**
     * The part of the class path that must stand above loaders which load the program's classes by themselves: versions
     * of the libraries that exist once, and the handlers of URLs that a jar with nested ones brings.
     */
    String above() {
        List<String> parts = new ArrayList<>();
        for (URL url : urls()) {
            File file = new File(URI.create(url.toString()));
            if (file.isFile()
                    && (holdsLibraries(file) || !NestedJars.in(file).names().isEmpty())) {
                parts.add(file.getPath());
            }
        }
        return String.join(File.pathSeparator, parts);
    }

    private static boolean holdsLibraries(File jar) {
        try (JarFile file = new JarFile(jar)) {
            return file.stream()
                    .anyMatch(entry -> OwnClassesLoader.LIBRARIES.stream()
                            .anyMatch(library -> entry.getName().startsWith(library.replace('.', '/'))
                                    && entry.getName().endsWith(".class")));
        } catch (IOException | UncheckedIOException e) {
            // No jar; nothing can be loaded from it.
            return false;
        }
    }
}
