package org.sluice.hybrid.launch;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.DirectoryStream;
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
                throw new IllegalArgumentException(jar + " names no Main-Class in its manifest; use -cp " + jar
                        + " MAIN");
            }
            List<String> flags = new ArrayList<>();
            addFlags(flags, "--add-opens=", main.getValue("Add-Opens"));
            addFlags(flags, "--add-exports=", main.getValue("Add-Exports"));
            return new Program(jar.toString(), mainClass.trim(), flags);
        } catch (IOException e) {
            throw new IllegalArgumentException(jar + " can't be read as a jar: " + e.getMessage(), e);
        }
    }

    private static void addFlags(List<String> flags, String flag, String packages) {
        if (packages != null) {
            for (String name : packages.trim().split("\\s+")) {
                flags.add(flag + name + "=ALL-UNNAMED");
            }
        }
    }

    /** The class path for a loader, with "folder/*" spelled out as the JVM does it. */
    public URL[] urls() {
        return urls(classPath);
    }

    static URL[] urls(String classPath) {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            try {
                if (entry.equals("*") || entry.endsWith(File.separator + "*")) {
                    addJars(urls, Path.of(entry.equals("*") ? "." : entry.substring(0, entry.length() - 1)));
                } else {
                    urls.add(Path.of(entry).toUri().toURL());
                }
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException("class path entry '" + entry + "' can't be understood: "
                        + e.getMessage(), e);
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static void addJars(List<URL> urls, Path folder) throws MalformedURLException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
            for (Path jar : jars) {
                urls.add(jar.toUri().toURL());
            }
        } catch (MalformedURLException e) {
            throw e;
        } catch (IOException e) {
            throw new IllegalArgumentException("the jars of " + folder + " can't be listed: " + e.getMessage(), e);
        }
    }
}
