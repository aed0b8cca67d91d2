package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars, class paths, Java installations and the words for ranks and exit statuses. */
final class ProgramTest {
    @TempDir
    private Path folder;

    private Path jar(String name, String... attributes) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        for (int i = 0; i < attributes.length; i += 2) {
            manifest.getMainAttributes().putValue(attributes[i], attributes[i + 1]);
        }
        Path jar = folder.resolve(name);
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    @Test
    void anExecutableJarBringsItsMainClassAndFlags() throws IOException {
        Path jar = jar(
                "a.jar",
                "Main-Class",
                "my.Main",
                "Add-Opens",
                "java.base/java.nio java.base/java.io",
                "Add-Exports",
                "java.base/sun.nio.ch");
        Program program = Program.ofJar(jar);
        assertEquals("my.Main", program.mainClass());
        assertEquals(jar.toString(), program.classPath());
        assertEquals(
                List.of(
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "--add-opens=java.base/java.io=ALL-UNNAMED",
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"),
                program.jvmFlags());
    }

    @Test
    void whatIsNoExecutableJarIsRefusedWithWhatToDo() throws IOException {
        assertTrue(refusal(folder.resolve("none.jar")).contains("there is no jar"));
        assertTrue(refusal(jar("b.jar")).contains("names no Main-Class"));
        assertTrue(refusal(Files.writeString(folder.resolve("c.jar"), "text")).contains("can't be read as a jar"));
        assertThrows(IllegalArgumentException.class, () -> Program.ofClassPath("x", " "));
    }

    private static String refusal(Path jar) {
        return assertThrows(IllegalArgumentException.class, () -> Program.ofJar(jar))
                .getMessage();
    }

    @Test
    void aStarInAClassPathMeansTheJarsOfTheFolder() throws IOException {
        Path jar = jar("d.jar");
        Files.writeString(folder.resolve("readme.txt"), "no jar");
        assertEquals(
                List.of(jar.toUri().toURL(), Path.of("classes").toUri().toURL()),
                List.of(Program.ofClassPath(folder + "/*:classes", "M").urls()));
    }

    @Test
    void aClassPathIsTakenAsJavaTakesIt() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Files.createFile(folder.resolve("readme.txt"));
        Path upper = Files.createFile(folder.resolve("E.JAR"));
        Path here = Path.of("").toAbsolutePath();
        assertEquals(
                List.of(folder.resolve("none/*").toFile().toURI().toURL()),
                List.of(Program.urls(folder + "/none/*")),
                "a wildcard for nothing is a file that is missing");
        assertEquals(
                List.of(
                        classes.toUri().toURL(),
                        classes.toUri().toURL(),
                        here.toUri().toURL(),
                        folder.resolve("none.jar").toUri().toURL(),
                        upper.toUri().toURL()),
                List.of(Program.urls(classes + ":" + classes + "/::" + folder + "/none.jar:" + folder + "/*")));
        Path star = Files.createDirectory(classes.resolve("*"));
        assertEquals(
                List.of(star.toUri().toURL()), List.of(Program.urls(classes + "/*")), "what is called so is itself");
    }

    @Test
    void aJavaInstallationIsKnownByItsReleaseFile() throws IOException {
        JavaHome current = JavaHome.current();
        assertEquals(Runtime.version().feature(), JavaHome.of(current.home()).feature());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> JavaHome.of(folder))
                .getMessage()
                .contains("no bin/java"));
        Files.createDirectory(folder.resolve("bin"));
        assertTrue(Files.createFile(folder.resolve("bin/java")).toFile().setExecutable(true));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> JavaHome.of(folder))
                .getMessage()
                .contains("release"));
        Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> JavaHome.of(folder))
                .getMessage()
                .contains("needs 17"));
        Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        JavaHome newer = JavaHome.of(folder);
        assertEquals(25, newer.feature());
        assertTrue(newer.flags().contains("--sun-misc-unsafe-memory-access=allow"));
        List<String> harmless = List.of("-Dsluice.unsafe=on", "-XX:-UseTransparentHugePages");
        assertEquals(newer.flags(), newer.flags(harmless, Map.of()));
        for (List<String> without : List.of(
                newer.flags(List.of("-Dsluice.unsafe=off"), Map.of()),
                newer.flags(List.of(), Map.of("SLUICE_UNSAFE", "off")),
                newer.flags(List.of("--sun-misc-unsafe-memory-access=deny"), Map.of()))) {
            assertTrue(without.contains("-XX:MaxInlineLevel=26"), without::toString);
        }
        Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"17\"\n");
        assertFalse(JavaHome.of(folder).flags().contains("--sun-misc-unsafe-memory-access=allow"));
    }

    /** Read by java itself, which the script of ./sluice exec starts. */
    @Test
    void theScriptsFlagsAreThoseOfRanks() throws IOException {
        List<String> flags = JavaHome.current().flags().stream()
                .filter(flag -> flag.startsWith("--add-"))
                .toList();
        assertEquals(flags, Files.readAllLines(Path.of(System.getProperty("sluice.root"), "tools/opened-packages")));
    }

    @Test
    void ranksAndStatusesAreSaidInWords() {
        assertEquals("rank 3", RankList.text(List.of(3)));
        assertEquals("ranks 0, 1, 4 to 7, 9", RankList.text(List.of(0, 1, 4, 5, 6, 7, 9)));
        assertEquals("ranks 2 to 3", RankList.range(2, 2));
        assertEquals("was ended by SIGSEGV (status 139)", ExitStatus.text(139, 1));
        assertEquals("exited with status 1", ExitStatus.text(1, 1));
        assertEquals("exited with status 255", ExitStatus.text(255, 1));
    }

    @Test
    void theVersionIsTheBuilds() throws IOException {
        String pom = Files.readString(Path.of(System.getProperty("sluice.root"), "pom.xml"));
        assertTrue(
                pom.contains(
                        "<artifactId>sluice-parent</artifactId>\n    <version>" + SluiceVersion.CURRENT + "</version>"),
                "SluiceVersion.CURRENT is " + SluiceVersion.CURRENT);
    }
}
