package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.launch.JavaHome;

/** Which flags newer JVMs ask for, and what a JVM is that refuses. */
@Timeout(90)
final class JavaFlagsTest {
    private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    /** The doctor in a JVM with other flags. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) {
            new Doctor(Map.of(), Map.of("SLUICE_SHM_CMA", "off"))
                    .examine()
                    .forEach(finding ->
                            System.out.println(finding.level() + " " + finding.topic() + ": " + finding.text()));
        }
    }

    private static List<String> child(String... flags) throws Exception {
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command()));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = new String(child.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertEquals(0, child.waitFor(), lines.toString());
        return lines;
    }

    private static boolean any(List<String> lines, String start) {
        return lines.stream().anyMatch(line -> line.startsWith(start));
    }

    @Test
    void olderJvmsAskForNothing() {
        assertEquals(List.of(), new JavaFlags(17, List.of(), true, true, "").examine());
        assertEquals(List.of(), new JavaFlags(23, List.of(), false, true, "").examine());
    }

    @Test
    void newerJvmsWarnOfWhatIsNotGiven() {
        assertEquals(
                Finding.Level.OK,
                new JavaFlags(24, List.of("-Xmx1g", UNSAFE), true, true, "")
                        .examine()
                        .get(0)
                        .level());
        Finding none =
                new JavaFlags(25, List.of("-Xmx1g"), false, true, "").examine().get(0);
        assertEquals(Finding.Level.SLOWER, none.level());
        assertTrue(none.text().startsWith("not given: " + UNSAFE + " " + NATIVE + "; Java 25 warns"), none.text());
        assertTrue(new JavaFlags(25, List.of(), true, true, "")
                .examine()
                .get(0)
                .text()
                .startsWith("not given: " + UNSAFE + ";"));
        assertTrue(new JavaFlags(25, List.of(UNSAFE), false, true, "")
                .examine()
                .get(0)
                .text()
                .startsWith("not given: " + NATIVE + ";"));
    }

    @Test
    void withoutRawMemoryNothingWorks() {
        Finding refused =
                new JavaFlags(26, List.of(), true, false, "refused").examine().get(0);
        assertEquals(Finding.Level.UNUSABLE, refused.level());
        assertTrue(refused.advice().contains(UNSAFE), refused.advice());
        assertEquals(
                Finding.Level.UNUSABLE,
                new JavaFlags(17, List.of(), true, false, "refused")
                        .examine()
                        .get(0)
                        .level());
    }

    @Test
    void flagsOfARealJvmAreSeen() throws Exception {
        assumeTrue(JavaHome.warnsOfUnsafeAndNative(JavaHome.current().feature()), "this Java asks for no flags");
        assertTrue(any(child(UNSAFE, NATIVE), "OK java flags: " + UNSAFE));
        assertTrue(any(child(), "SLOWER java flags: not given: " + UNSAFE + " " + NATIVE));
    }

    @Test
    void aJvmThatRefusesIsAFindingAndNoFailure() throws Exception {
        assumeTrue(JavaHome.warnsOfUnsafeAndNative(JavaHome.current().feature()), "this Java refuses nothing");
        for (String refusal : List.of("--sun-misc-unsafe-memory-access=deny", "-Dsluice.unsafe=off")) {
            List<String> foreign = child(refusal, NATIVE);
            assertTrue(any(foreign, "OK java flags: raw memory is java.lang.foreign"), foreign.toString());
            assertTrue(any(foreign, "OK channel threads: "), foreign.toString());
            assertFalse(foreign.toString().contains("WARNING"), foreign.toString());
        }
        List<String> memory = child("--sun-misc-unsafe-memory-access=deny", "--illegal-native-access=deny");
        assertTrue(
                any(
                        memory,
                        "UNUSABLE java flags: no channel works: there is no way to raw memory: this JVM refuses"
                                + " sun.misc.Unsafe"),
                memory.toString());
        for (String channel : List.of("threads", "shm", "ib")) {
            assertTrue(any(memory, "UNUSABLE channel " + channel + ": not usable: java flags: "), memory.toString());
        }
        List<String> natives = child(UNSAFE, "--illegal-native-access=deny");
        assertTrue(
                any(natives, "SLOWER native library: libsluice_os is not loaded: this JVM refuses native code"),
                natives.toString());
        assertTrue(
                any(
                        natives,
                        "SLOWER channel shm: usable between JVMs of one user on this machine, but: native library: "),
                natives.toString());
    }
}
