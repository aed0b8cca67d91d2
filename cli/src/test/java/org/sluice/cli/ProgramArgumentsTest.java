package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The end of a command line is read as the java command reads it. */
final class ProgramArgumentsTest {
    private static ProgramArguments parse(String... words) {
        return ProgramArguments.parse(List.of(words), "sluice run", Set.of("-n", "--grace"), "as JDK_JAVA_OPTIONS");
    }

    private static void refused(String expected, String... words) {
        String message =
                assertThrows(IllegalArgumentException.class, () -> parse(words)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void whatStandsBeforeTheClassPathIsTheJvms() {
        ProgramArguments parsed =
                parse("-Xmx1g", "--add-opens", "a/b=ALL-UNNAMED", "-Dx=y", "-cp", "x:y", "my.Main", "-n", "-jar", "");
        assertEquals(List.of("-Xmx1g", "--add-opens", "a/b=ALL-UNNAMED", "-Dx=y"), parsed.jvmOptions());
        assertEquals("x:y", parsed.program().classPath());
        assertEquals("my.Main", parsed.program().mainClass());
        assertEquals(List.of("-n", "-jar", ""), parsed.arguments());
    }

    @Test
    void allSpellingsOfTheClassPathAreKnown() {
        for (String spelling : List.of("-cp", "-classpath", "--class-path")) {
            assertEquals("M", parse(spelling, "x", "M").program().mainClass());
        }
        ProgramArguments joined = parse("-Xmx1g", "--class-path=x:y", "M", "a");
        assertEquals("x:y", joined.program().classPath());
        assertEquals("M", joined.program().mainClass());
        assertEquals(List.of("a"), joined.arguments());
    }

    @Test
    void mistakesAreSaidPlainly() {
        refused("no program is given");
        refused("no program is given", "-Xmx1g");
        refused("'Main' is no JVM option", "Main");
        refused("-m: a program is not run as a module here", "-m", "a/b");
        refused("--module=a/b: a program is not run as a module here", "--module=a/b");
        refused("'-Xmx1g' stands where the main class is expected", "-cp", "x", "-Xmx1g", "M");
        refused("'--' stands where the main class is expected", "--class-path=x", "--", "M");
        refused("a class path is missing", "-cp");
        refused("a main class is missing", "-cp", "x");
        refused("a main class is missing", "--class-path=x");
        refused("the path of a jar is missing", "-jar");
        refused("its value is missing", "--add-opens");
        refused("--grace=3 stands behind a JVM option", "-Xmx1g", "--grace=3", "-cp", "x", "M");
        refused("there is no jar /none.jar", "-jar", "/none.jar");
    }

    /** Else each rank's JVM would refuse it, and what is wrong were a rank that died. */
    @Test
    void whatNeitherSluiceNorTheJvmKnowsIsSaid() {
        refused(
                "'--optoins' is not known to sluice run; its options are --grace -n; as JDK_JAVA_OPTIONS",
                "--optoins",
                "a=b",
                "-cp",
                "x",
                "M");
        refused(
                "'--grcae' is not known to sluice run; did you mean --grace? as JDK_JAVA_OPTIONS",
                "--grcae=3",
                "-cp",
                "x",
                "M");
        refused("'-grace' is not known to sluice run; did you mean --grace?", "-Xmx1g", "-grace", "3", "-cp", "x", "M");
        refused("did you mean --add-opens?", "--ad-opens", "a/b=ALL-UNNAMED", "-cp", "x", "M");
        refused("'-np' is not known", "-np", "2", "-cp", "x", "M");
    }

    @Test
    void optionsOfTheJvmAreKnown() {
        List<String> flags = List.of(
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:Flags=.hotspotrc",
                "-Dx",
                "-ea",
                "-ea:my.Main",
                "-da:my...",
                "-esa",
                "-dsa",
                "-enableassertions:a",
                "-verbose",
                "-verbose:gc",
                "-agentlib:jdwp=x",
                "-agentpath:/x",
                "-javaagent:x.jar=y",
                "-splash:x",
                "-server",
                "-showversion",
                "--enable-preview",
                "--add-opens=a/b=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-access=deny",
                "--sun-misc-unsafe-memory-access=allow",
                "--finalization=disabled",
                "--module-path=x",
                "--show-module-resolution");
        for (String flag : flags) {
            assertEquals(List.of(flag), parse(flag, "-cp", "x", "M").jvmOptions());
        }
    }

    /** Whatever the java command of this JVM names in its help. */
    @Test
    void whatThisJavaNamesIsKnown() throws Exception {
        Process command = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(), "--help")
                .redirectErrorStream(true)
                .start();
        String help = new String(command.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertEquals(0, command.waitFor());
        List<String> named = help.lines()
                .filter(line -> line.matches("    --?[a-z].*"))
                .map(line -> line.trim().split("[\\s\\[<=|]")[0])
                .filter(name -> !List.of("-cp", "-classpath", "--class-path", "-jar", "-m", "--module")
                        .contains(name))
                .toList();
        assertTrue(named.size() > 20, named.toString());
        assertEquals(
                List.of(),
                named.stream().filter(name -> !JvmFlags.isKnown(name)).toList());
    }
}
