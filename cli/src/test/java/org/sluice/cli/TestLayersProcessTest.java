package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./sluice test} says of its layers before and while they run. */
@Tag("once")
final class TestLayersProcessTest {
    private static final String BEGINNING = """
        state=$1 tier=first
        . "$2/tools/setup.sh"
        . "$2/tools/layers.sh"
        state=$1
        say() { echo "sluice: $*"; }
        plan build 100 building
        plan host 300 "every room"
        plan guests 200 "in guests"
        """;

    @TempDir
    private Path state;

    private List<String> told(String script, int status) throws IOException, InterruptedException {
        String root = System.getProperty("sluice.root");
        Process process = new ProcessBuilder(
                        "bash",
                        "-euo",
                        "pipefail",
                        "-c",
                        "root=$2\n" + BEGINNING + script,
                        "bash",
                        state.toString(),
                        root)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
        assertEquals(status, process.exitValue(), said);
        return said.lines().toList();
    }

    @Test
    void theLayersAreToldFirstWithWhatTheyTookLast() throws Exception {
        Files.writeString(state.resolve("durations"), "all.host 9000\nfirst.host 700\n");
        assertEquals(
                List.of(
                        "sluice: about 17 min in all; by layer, as it took here last, or takes two quiet cores:",
                        "sluice:   building: 2 min",
                        "sluice:   every room: 12 min",
                        "sluice:   in guests: 3 min"),
                told("tell_plan", 0));
    }

    @Test
    void whatIsLeftIsOfThisLayerAndThoseBehindIt() throws Exception {
        assertEquals(
                List.of(", about 10 min left in all", ", about 8 min left in all", ", about 3 min left in all"),
                told(
                        "layer=build; time_left; echo\n"
                                + "layer=host layer_began=$SECONDS; time_left; echo\n"
                                + "layer_began=$((SECONDS - 1000)); time_left; echo",
                        0));
    }

    @Test
    void eachLayersTimeIsKeptForTheNextRunOfItsTier() throws Exception {
        Files.writeString(state.resolve("durations"), "all.host 9000\nfirst.host 700\n");
        told("begin_layer build\nin_layer host true\nlayer_began=$((SECONDS - 40))\nend_layers", 0);
        List<String> kept = Files.readAllLines(state.resolve("durations"));
        assertEquals("all.host 9000", kept.get(0));
        assertTrue(kept.get(1).matches("first\\.build [0-2]"), kept::toString);
        assertTrue(kept.get(2).matches("first\\.host 4[0-2]"), kept::toString);
    }

    /** A log is read by whoever wonders how long a build server still takes. */
    @Test
    void withoutATerminalALineAMinuteSaysWhatIsLeft() throws Exception {
        Files.writeString(state.resolve("log"), "[INFO] Running org.sluice.ATest\n");
        List<String> told = told(
                "begin_layer host\nsleep 2 & pid=$!\n"
                        + "sleep() { SECONDS=$((SECONDS + 61)); command sleep \"$1\"; }\nfollow $pid testing $1/log",
                0);
        assertEquals("sluice: testing (log: " + state.resolve("log") + ")", told.get(0));
        assertTrue(
                told.get(1).matches("sluice: testing, 1 min, about .* left in all: Running org\\.sluice\\.ATest"),
                told::toString);
    }

    @Test
    void whoeverEndsTheTestsEndsWhatTheyStarted() throws Exception {
        told(
                "(while [ ! -s $1/pid ]; do sleep 0.05; done; kill $$) &\n"
                        + "run_followed waiting $1/log bash -c 'echo $$ >\"$0/pid\"; sleep 1000' $1",
                130);
        long pid = Long.parseLong(Files.readString(state.resolve("pid")).strip());
        ProcessHandle.of(pid)
                .ifPresent(
                        child -> child.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    }

    @Test
    void soTheJvmThatRunsThem() throws Exception {
        Path java = state.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(
                java,
                "#!/bin/bash\ncase $* in *ConsoleLauncher*) echo $$ >" + state + "/pid; exec sleep 1000 ;; esac\n");
        assertTrue(java.toFile().setExecutable(true));
        Files.writeString(state.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
        told(
                "(while [ ! -s $1/pid ]; do sleep 0.05; done; kill $$) &\n"
                        + "run_followed waiting $1/log bash $2/tools/junit.sh host $1/jdk first $1/reports device",
                130);
        long pid = Long.parseLong(Files.readString(state.resolve("pid")).strip());
        ProcessHandle.of(pid)
                .ifPresent(
                        child -> child.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    }

    /** A class with the tag of a guest's tests is none of the host's, whatever else it is. */
    @Test
    void theLongTierHasOnTheHostWhatIsLongThere() throws Exception {
        for (String[] each : new String[][] {
            {"ib", "@Tag(\"long\")\n@Tag(\"verbs\")"},
            {"shm", "@Tag(\"all\")"},
            {"bench", "@Tag(\"long\")\n@Tag(\"vm\")"},
            {"hybrid", "@Tag(\"long\")"}
        }) {
            Files.createDirectories(state.resolve(each[0] + "/src/test"));
            Files.writeString(state.resolve(each[0] + "/src/test/A.java"), each[1] + "\nclass A {}\n");
        }
        assertEquals(
                List.of("hybrid"),
                told(
                        "sed -e '$d' -e '/^\\. /d' $2/tools/test.sh >$1/functions; . $1/functions; root=$1; modules()"
                                + " { printf '%s\\n"
                                + "' ib shm bench hybrid; }; long_on_host",
                        0));
    }

    /** jcstress makes one argument of what a line break parts. */
    @Test
    void flagsOfAJvmStandOnOneLine() throws Exception {
        assertEquals(
                List.of(
                        "-XX:+EnableDynamicAgentLoading --sun-misc-unsafe-memory-access=allow"
                                + " --enable-native-access=ALL-UNNAMED",
                        "-XX:+EnableDynamicAgentLoading"),
                told("for release in 25 21 17; do jdk_version() { echo $release; }; quiet_flags there; done", 0));
    }
}
