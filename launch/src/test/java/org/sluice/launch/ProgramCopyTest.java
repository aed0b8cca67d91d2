package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramCopyTest {
    @TempDir
    private Path here;

    private Path jar(String name, String classPath) throws IOException {
        Path jar = here.resolve(name);
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    private Path file(String name) throws IOException {
        Path file = here.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, name);
    }

    private Set<String> names(ProgramCopy copy) {
        return copy.files().stream()
                .map(file -> here.relativize(file).toString())
                .collect(Collectors.toSet());
    }

    @Test
    void foldersJarsAndWhatTheirManifestsNameAreCopied() throws Exception {
        file("classes/a/Main.class");
        file("classes/log.properties");
        file("lib/not-a-jar.txt");
        jar("lib/one.jar", "");
        jar("lib/two.JAR", "");
        jar("app/program.jar", "../deep/three.jar res/ missing.jar file:/nowhere/x.jar ../app/program.jar");
        jar("deep/three.jar", "four.jar");
        jar("deep/four.jar", "");
        file("app/res/text");
        ProgramCopy copy = ProgramCopy.of("classes:lib/*:app/program.jar:nothing-here", here);
        assertEquals(
                Set.of(
                        "classes/a/Main.class",
                        "classes/log.properties",
                        "lib/one.jar",
                        "lib/two.JAR",
                        "app/program.jar",
                        "deep/three.jar",
                        "deep/four.jar",
                        "app/res/text"),
                names(copy));
    }

    @Test
    void aClassPathNamesTheCopiesAndLeavesTheRest() throws Exception {
        file("classes/Main.class");
        jar("lib/one.jar", "");
        ProgramCopy copy = ProgramCopy.of("classes:lib/*", here);
        assertEquals(
                "/tmp/x" + here + "/classes:/tmp/x" + here + "/lib/*:/opt/sluice.jar",
                copy.on("/tmp/x", "classes:lib/*:/opt/sluice.jar"));
        assertEquals("/tmp/x" + here + "/classes", copy.on("/tmp/x", here.resolve("classes") + ""));
    }

    @Test
    void moreThanAProgramIsRefused() throws Exception {
        Path folder = Files.createDirectory(here.resolve("home"));
        for (int i = 0; i < 10; i++) {
            Files.createFile(folder.resolve("f" + i));
        }
        assertEquals(10, ProgramCopy.of("home", here, 10).files().size());
        String said = assertThrows(IllegalArgumentException.class, () -> ProgramCopy.of("home", here, 9))
                .getMessage();
        assertTrue(said.contains("more than 9 files or 4 GB"), said);
    }

    /** As one machine sends it and another writes it. */
    @Test
    void filesArriveAndThoseThatCantAreNamed() throws Exception {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(sent);
        for (String name : new String[] {"a/b/C.class", "empty", "../outside", "a/later"}) {
            NodeWire.text(out, name);
            if (!name.equals("empty")) {
                byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
                NodeWire.bytes(out, bytes, 0, 1);
                NodeWire.bytes(out, bytes, 1, bytes.length - 1);
            }
            NodeWire.bytes(out, new byte[0], 0, 0);
        }
        Path root = here.resolve("copies");
        CopiedFiles files = new CopiedFiles(root);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(sent.toByteArray()));
        files.take(in);
        files.take(in);
        assertEquals("", files.wrong());
        assertEquals("a/b/C.class", Files.readString(root.resolve("a/b/C.class")));
        assertEquals(0, Files.size(root.resolve("empty")));
        files.take(in);
        files.take(in);
        assertTrue(files.wrong().startsWith("../outside can't be written to " + root), files.wrong());
        assertEquals(-1, in.read());
        assertTrue(Files.notExists(here.resolve("outside")));
        files.remove();
        assertTrue(Files.notExists(root));
    }
}
