package org.sluice.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The end of a command line is read as the java command reads it. */
final class ProgramArgumentsTest {
    private static ProgramArguments parse(String... words) {
        return ProgramArguments.parse(List.of(words), Set.of("-n", "--grace"));
    }

    private static void refused(String expected, String... words) {
        String message = assertThrows(IllegalArgumentException.class, () -> parse(words)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void whatStandsBeforeTheClassPathIsTheJvms() {
        ProgramArguments parsed = parse("-Xmx1g", "--add-opens", "a/b=ALL-UNNAMED", "-Dx=y", "-cp", "x:y", "my.Main",
                "-n", "-jar", "");
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
}
