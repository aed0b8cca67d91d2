package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.sluice.cli.BuiltProgram.Ended;
import org.sluice.launch.JavaHome;

/** A program in a jar of Spring Boot's form, by its own loader, with its own logging and its own Kotlin in it. */
@Tag("once")
@Timeout(120)
final class NestedJarProcessTest {
    private static final String SOURCE = """
        package my;
        import org.sluice.device.Device;
        public final class Main {
            public static void main(String[] arguments) throws Exception {
                try (Device device = Device.open()) {
                    int next = (device.rank() + 1) % device.size();
                    int[] taken = new int[1];
                    var send = device.isend(new int[] {device.rank()}, next, 1);
                    device.recv(taken, Device.ANY_SOURCE, 1);
                    send.waitFor();
                    String logging = org.slf4j.LoggerFactory.getILoggerFactory().getClass().getSimpleName();
                    System.out.println("rank " + device.rank() + " of " + device.size() + " logs by " + logging
                            + ", Kotlin is " + kotlin.KotlinVersion.WHOSE);
                }
            }
        }
        """;
    private static final String LINE = "rank %d of %d logs by SimpleLoggerFactory, Kotlin is the program's";

    @TempDir
    private static Path folder;

    private static BuiltProgram program;
    private static String jar;
    /** The same without a jar around it. */
    private static String classPath;

    /**
     * Made as Spring Boot's plugins do: classes of its loader at the root, those of the program and its libraries
     * below, the latter not compressed.
     */
    @BeforeAll
    static void makeJar() throws IOException, URISyntaxException {
        program = new BuiltProgram(folder);
        Path kotlin = program.library("kotlin-stdlib-9.9.9", "kotlin.KotlinVersion");
        Path logging = Path.of(
                Logger.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path parts = BuiltProgram.CHECKOUT.resolve("cli/target/nested");
        Path classes = program.compile(
                "classes", "Main.java", SOURCE, "-cp", kotlin + ":" + BuiltProgram.SLUICE + ":" + logging);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(Attributes.Name.MAIN_CLASS, "org.springframework.boot.loader.launch.JarLauncher");
        manifest.getMainAttributes().putValue("Start-Class", "my.Main");
        manifest.getMainAttributes().putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
        manifest.getMainAttributes().putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
        Path made = folder.resolve("program.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(made), manifest)) {
            // Its loader looks for the folders themselves.
            for (String name : List.of("BOOT-INF/", "BOOT-INF/classes/", "BOOT-INF/lib/")) {
                out.putNextEntry(new JarEntry(name));
            }
            addLoader(out, parts.resolve("spring-boot-loader.jar"));
            BuiltProgram.addFolder(out, classes, "BOOT-INF/classes/");
            for (Path library : List.of(
                    kotlin,
                    logging,
                    parts.resolve("slf4j-simple.jar"),
                    BuiltProgram.SLUICE,
                    BuiltProgram.jarIn(BuiltProgram.LIB, "jctools-core"))) {
                addStored(out, library);
            }
        }
        jar = made.toString();
        classPath = String.join(
                ":",
                classes.toString(),
                kotlin.toString(),
                logging.toString(),
                parts.resolve("slf4j-simple.jar").toString());
    }

    private static void addLoader(JarOutputStream out, Path loader) throws IOException {
        try (JarFile file = new JarFile(loader.toFile())) {
            for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".class")) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    out.write(file.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    private static void addStored(JarOutputStream out, Path library) throws IOException {
        byte[] bytes = Files.readAllBytes(library);
        JarEntry entry = new JarEntry("BOOT-INF/lib/" + library.getFileName());
        entry.setMethod(JarEntry.STORED);
        entry.setSize(bytes.length);
        CRC32 sum = new CRC32();
        sum.update(bytes);
        entry.setCrc(sum.getValue());
        out.putNextEntry(entry);
        out.write(bytes);
    }

    private static void assertPrinted(Ended ended, int ranks) {
        assertEquals("", ended.err());
        assertEquals(0, ended.status());
        List<String> expected =
                ranks == 1 ? List.of(LINE.formatted(0, 1)) : List.of(LINE.formatted(0, 2), LINE.formatted(1, 2));
        assertEquals(expected, ended.out().lines().sorted().toList());
    }

    @Test
    void byPlainJava() throws Exception {
        List<String> words = new ArrayList<>(JavaHome.current().flags());
        words.addAll(List.of("-jar", jar));
        assertPrinted(program.java(words.toArray(String[]::new)), 1);
    }

    @Test
    void underRun() throws Exception {
        assertPrinted(program.run("-n", "2", "-jar", jar), 2);
    }

    @Test
    void asThreads() throws Exception {
        assertPrinted(program.run("-n", "2", "--jvms", "1", "-jar", jar), 2);
    }

    @Test
    void withLoadersOfTheirOwn() throws Exception {
        assertPrinted(program.run("-n", "2", "--jvms", "1", "--own-loaders", "-jar", jar), 2);
    }

    @Test
    void inPlace() throws Exception {
        assertPrinted(program.exec("-jar", jar), 1);
    }

    @Test
    void itsLoggerIsFoundOnAClassPathToo() throws Exception {
        assertPrinted(program.exec("-cp", classPath, "my.Main"), 1);
        assertPrinted(program.run("-n", "2", "-cp", classPath, "my.Main"), 2);
    }
}
