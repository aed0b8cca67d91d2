package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which archive of classes a rank is given, and when it is given none. */
final class ClassArchiveTest {
    private static final JavaHome JAVA = new JavaHome(Path.of("/opt/jdk"), "17.0.99", 17);

    @AfterEach
    void forgetHome() {
        System.clearProperty("sluice.home");
    }

    @Test
    void itLiesInTheCheckoutThatStartedUsForOneReleaseOfJava(@TempDir Path home) throws Exception {
        Path folder = Files.createDirectory(home.resolve(".build"));
        Files.createFile(folder.resolve("classes-17.jsa"));
        Path core = Files.createFile(folder.resolve("sluice-core.jar"));
        assertEquals(Optional.empty(), ClassArchive.of(JAVA), "nobody named a checkout");
        System.setProperty("sluice.home", home.toString());
        ClassArchive found = ClassArchive.of(JAVA).orElseThrow();
        assertEquals(core, found.core());
        assertTrue(
                found.flags().contains("-XX:SharedArchiveFile=" + folder.resolve("classes-17.jsa")),
                found.flags().toString());
        assertEquals(Optional.empty(), ClassArchive.of(new JavaHome(Path.of("/opt/jdk"), "25.0.1", 25)));
        Files.delete(core);
        assertEquals(Optional.empty(), ClassArchive.of(JAVA), "without the jar that it was made of");
    }

    @Test
    void thatOfADialectIsTakenIfItIsThere(@TempDir Path home) throws Exception {
        Path folder = Files.createDirectory(home.resolve(".build"));
        Files.createFile(folder.resolve("classes-17.jsa"));
        Path core = Files.createFile(folder.resolve("sluice-core.jar"));
        Path jar = Files.createFile(folder.resolve("sluice-mpijava.jar"));
        System.setProperty("sluice.home", home.toString());
        MpiDialect dialect = MpiDialect.of("mpijava", "elsewhere.jar", false);
        assertEquals(
                core.toString(), ClassArchive.of(JAVA, dialect).orElseThrow().classPath());
        Path file = Files.createFile(folder.resolve("classes-17-mpijava.jsa"));
        ClassArchive found = ClassArchive.of(JAVA, dialect).orElseThrow();
        assertEquals(file, found.file());
        assertEquals(core + ":" + jar, found.classPath());
        assertEquals(core.toString(), ClassArchive.of(JAVA).orElseThrow().classPath(), "who speaks none has no part");
    }

    @Test
    void aProgramThatBringsSluiceIsSeen(@TempDir Path folder) throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes/org/sluice/launch"));
        Path jar = folder.resolve("fat.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("org/sluice/launch/SluiceVersion.class"));
        }
        Path other = Files.writeString(folder.resolve("other.jar"), "no jar at all");
        assertFalse(brings(folder.resolve("classes") + ":" + other + ":" + folder.resolve("missing.jar") + ":"));
        assertTrue(brings(other + ":" + jar));
        assertTrue(brings(folder + "/*"), "a wildcard");
        Files.createFile(classes.resolve("SluiceVersion.class"));
        assertTrue(brings(folder.resolve("classes").toString()));
    }

    private static boolean brings(String classPath) {
        return ClassArchive.isBroughtBy(Program.ofClassPath(classPath, "Main"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xshare:off",
                "-XX:SharedArchiveFile=mine.jsa",
                "-XX:ArchiveClassesAtExit=mine.jsa",
                "-XX:+AutoCreateSharedArchive",
                "-XX:AOTCache=mine.aot",
                "-Djava.system.class.loader=mine.Loader",
                "-XX:+RecordDynamicDumpInfo",
                "-XX:VMOptionsFile=mine",
                "-XX:Flags=mine",
                "-Xlog:all=warning",
                "-Xlog",
                "-Xlog:cds"
            })
    void whoSpeaksOfArchivesDecides(String flag) {
        assertFalse(ClassArchive.isWelcome(List.of("-Xmx1g", flag), Map.of()));
        assertFalse(ClassArchive.isWelcome(List.of(), Map.of("JDK_JAVA_OPTIONS", "-Xmx1g " + flag)));
        assertFalse(ClassArchive.isWelcome(List.of(), Map.of("JAVA_TOOL_OPTIONS", flag)));
    }

    @Test
    void aFileOfFlagsMayHoldAnything() {
        assertFalse(ClassArchive.isWelcome(List.of(), Map.of("JDK_JAVA_OPTIONS", "-Xmx1g @mine")));
    }

    @Test
    void otherFlagsLeaveTheChoice() {
        assertTrue(ClassArchive.isWelcome(
                List.of("-Xmx1g", "-XX:+UseZGC", "-Xlog:gc*", "-Dpath=/Archive/AOT"),
                Map.of("JDK_JAVA_OPTIONS", "-Xss2m", "HOME", "/home/-Xshare")));
    }

    @Test
    void joinedClassPathsNameNothingTwiceAndKeepTheirOrder() {
        assertEquals(
                "core.jar:mine/*:b.jar:sluice.jar",
                ClassArchive.join(List.of("core.jar", "mine/*:b.jar", "sluice.jar:b.jar")));
        assertEquals("a.jar:", ClassArchive.join(List.of("a.jar", "")), "an empty entry is the working folder");
    }
}
