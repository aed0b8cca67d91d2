package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.option.Option;

/** What the launcher knows before it starts ranks, and what it leaves to them. */
final class LaunchCheckTest {
    private static final JavaHome HERE = JavaHome.current();
    private static final int FEATURE = HERE.feature();

    @TempDir
    private Path elsewhere;

    @Test
    void theCommandLineWinsThenTheVariablesOfTheJvmThenOurOwn() {
        Map<String, String> environment = Map.of(
                "SLUICE_PEEK",
                "nonsense",
                "SLUICE_OS",
                "off",
                "JAVA_TOOL_OPTIONS",
                "-Xmx1g -Dsluice.peek=maybe -Dsluice.verbs=off",
                "JDK_JAVA_OPTIONS",
                "'-Dsluice.peek=perhaps' -Dsluice.eager.share.bytes=8k");
        var options = LaunchCheck.options(List.of("-Dother", "-Dsluice.peek=off", "-Dsluice.peek=on"), environment);
        assertEquals("on", options.text(Option.PEEK));
        assertEquals("off", options.text(Option.OS));
        assertEquals("off", options.text(Option.VERBS));
        assertEquals(8192, options.number(Option.EAGER_SHARE));
        String refused = assertThrows(IllegalArgumentException.class, () -> LaunchCheck.options(List.of(), environment))
                .getMessage();
        assertTrue(refused.startsWith("sluice.peek = 'perhaps' (system property): allowed is"), refused);
    }

    /** The launcher sets them anew. */
    @Test
    void whatIsLeftOverOfAnotherJobDoesNotMatter() {
        assertEquals(
                "1",
                LaunchCheck.options(List.of(), Map.of("SLUICE_JOB_SIZE", "none", "SLUICE_JOB_RANK", "-7"))
                        .text(Option.JOB_SIZE));
    }

    @Test
    void aClassThatOnlyTheRanksJavaCanLoadIsLeftToThem(@TempDir Path folder) throws IOException {
        byte[] bytes = bytes("MainMethodTest$Classic.class");
        // The class file's version.
        ByteBuffer.wrap(bytes).putShort(6, (short) (44 + FEATURE + 1));
        // Under another name it is found in the folder alone.
        Files.write(folder.resolve("Newer.class"), bytes);
        Program newer = Program.ofClassPath(folder.toString(), "Newer");
        JavaHome next = new JavaHome(elsewhere, (FEATURE + 1) + ".0.1", FEATURE + 1);
        LaunchCheck.mainClass(newer, next, List.of());
        String refused = refusal(newer, HERE);
        assertTrue(refused.startsWith("class Newer can't be loaded: "), refused);
        assertTrue(
                refused.endsWith("; that takes Java " + (FEATURE + 1) + " or newer, and this is Java " + FEATURE + " ("
                        + HERE.home()
                        + "): name the newer one's folder with ./sluice run --java HOME, or in JAVA_HOME, or compile"
                        + " with --release "
                        + FEATURE),
                refused);
        refusal(Program.ofClassPath(folder.toString(), "Missing"), next);
    }

    /** Another build of the same version may have modules that this one lacks. */
    @Test
    void aClassThatLacksWhatOnlyTheRanksJavaHasIsLeftToThem(@TempDir Path folder) throws IOException {
        Files.write(folder.resolve("Renamed.class"), bytes("MainMethodTest$Classic.class"));
        Program program = Program.ofClassPath(folder.toString(), "Renamed");
        LaunchCheck.mainClass(program, new JavaHome(elsewhere, HERE.version(), FEATURE), List.of());
        String refused = refusal(program, HERE);
        assertTrue(refused.startsWith("class Renamed can't be loaded: ") && !refused.contains("--java"), refused);
        Path link = Files.createSymbolicLink(elsewhere.resolve("link"), HERE.home());
        assertEquals(
                refused,
                refusal(program, new JavaHome(link, HERE.version(), FEATURE)),
                "the same installation by another path");
        Files.delete(link);
    }

    private static String refusal(Program program, JavaHome java) {
        return assertThrows(IllegalArgumentException.class, () -> LaunchCheck.mainClass(program, java, List.of()))
                .getMessage();
    }

    @Test
    void partsOfAClassPathThatDoNotExistArePassedOver() {
        String name = LaunchCheckTest.class.getName();
        String refusal = assertThrows(
                        IllegalArgumentException.class,
                        () -> LaunchCheck.mainClass(Program.ofClassPath("/nowhere/*:gone.jar:", name), HERE, List.of()))
                .getMessage();
        assertTrue(refusal.startsWith("class " + name + " is not what a program needs"), refusal);
        String missing = assertThrows(
                        IllegalArgumentException.class,
                        () -> LaunchCheck.mainClass(
                                Program.ofClassPath("/nowhere/*:gone.jar:", "Missing"), HERE, List.of()))
                .getMessage();
        assertTrue(missing.endsWith("of which these parts don't exist: /nowhere/*, gone.jar"), missing);
    }

    @Test
    void classesFromElsewhereAreLeftToThem() {
        LaunchCheck.mainClass(Program.ofClassPath("x", "Missing"), HERE, List.of("-javaagent:agent.jar"));
    }

    private static byte[] bytes(String classFile) throws IOException {
        try (var stream = MainMethodTest.class.getResourceAsStream(classFile)) {
            return stream.readAllBytes();
        }
    }
}
