package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.sluice.launch.JavaHome;

/**
 * A user's program outside of the build: compiled in a folder of its own against the jars that {@code ./sluice} has
 * built, and run with them.
 */
final class BuiltProgram {
    static final Path CHECKOUT =
            Path.of(System.getProperty("sluice.root", "..")).toAbsolutePath().normalize();
    static final Path LIB = CHECKOUT.resolve(".build/lib");
    static final Path SLUICE = LIB.resolve("sluice.jar");

    private final Path folder;

    record Ended(int status, String out, String err) {}

    BuiltProgram(Path folder) {
        assumeTrue(Files.isRegularFile(SLUICE), SLUICE + " is missing: ./sluice --version builds it");
        this.folder = folder;
    }

    /** The one that is called so but for its version. */
    static Path jarIn(Path folder, String name) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(name + "-[0-9].*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** @return the folder of the classes, which is called so */
    Path compile(String name, String file, String source, String... options) throws IOException {
        Path text = folder.resolve(name + "-sources").resolve(file);
        Files.createDirectories(text.getParent());
        Files.writeString(text, source);
        return compile(name, List.of(text), options);
    }

    Path compile(String name, List<Path> sources, String... options) {
        Path classes = folder.resolve(name);
        List<String> words = new ArrayList<>(List.of("-nowarn", "-d", classes.toString()));
        words.addAll(List.of(options));
        sources.forEach(source -> words.add(source.toString()));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)));
        return classes;
    }

    static void addFolder(JarOutputStream jar, Path classes, String under) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                jar.putNextEntry(new JarEntry(under + classes.relativize(file)));
                jar.write(Files.readAllBytes(file));
            }
        }
    }

    Path jar(String name, Path classes) throws IOException {
        Path jar = folder.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            addFolder(out, classes, "");
        }
        return jar;
    }

    /** A library that says which it is. */
    Path library(String name, String type) throws IOException {
        String simple = type.substring(type.lastIndexOf('.') + 1);
        return jar(
                name + ".jar",
                compile(
                        name,
                        simple + ".java",
                        "package " + type.substring(0, type.lastIndexOf('.')) + ";\npublic final class " + simple
                                + " { public static final String WHOSE = String.valueOf(\"the program's\"); }\n"));
    }

    /** Of the command line's jar, with the archive that the script makes. */
    Ended run(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                JavaHome.current().command(),
                "-XX:TieredStopAtLevel=1",
                "-Dsluice.home=" + CHECKOUT,
                "-jar",
                LIB.resolve("cli/sluice-cli.jar").toString(),
                "run"));
        command.addAll(List.of(words));
        return start(command);
    }

    /** By the script, which neither looks nor builds there. */
    Ended exec(String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(CHECKOUT.resolve("sluice").toString(), "exec"));
        command.addAll(List.of(words));
        return start(command);
    }

    Ended java(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command()));
        command.addAll(List.of(words));
        return start(command);
    }

    private Ended start(List<String> command) throws Exception {
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out)
                .redirectError(err);
        builder.environment().keySet().removeAll(Set.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "CLASSPATH"));
        builder.environment().put("JAVA_HOME", JavaHome.current().home().toString());
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(100, TimeUnit.SECONDS), () -> "it does not end: " + command);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
    }
}
