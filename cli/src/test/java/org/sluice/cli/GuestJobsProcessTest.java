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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code ./sluice test} does with tests that need guests, of which there are none here: a script in the place of
 * java notes what it is asked for.
 */
@Tag("once")
@Timeout(60)
final class GuestJobsProcessTest {
    private static final String BEGINNING = """
        root=CHECKOUT state=CHECKOUT/.build jdk=CHECKOUT/jdk built_jar=sluice.jar tier=TIER
        . CHECKOUT/tools/reports.sh
        . CHECKOUT/tools/guests.sh
        modules() { printf '%s\\n' jni ib hybrid bench; }
        say() { echo "sluice: $*"; }
        jdk_version() { echo 17; }
        nproc() { echo 2; }
        follow() { :; }
        check_jni() { :; }
        """;
    private static final String RUN = """
        begin_guests
        finish_guests
        echo $passed $failed $skipped
        """;
    /** Leaves the report of one test for each module and node. */
    private static final String JAVA = """
        #!/bin/bash
        while [ "$1" != --nodes ]; do shift; done
        nodes=$2
        while [ "${1%junit.sh}" = "$1" ]; do shift; done
        tag=$2 out=$5
        shift 5
        echo "$nodes $tag $*, $(nice)" >>CHECKOUT/calls
        BEFORE
        for module; do
            for ((node = 0; node < nodes; node++)); do
                folder=${out//%s/$module}
                mkdir -p "${folder//%n/$node}"
                report=${folder//%n/$node}/TEST-junit-jupiter.xml
                echo '<testsuite name="a" tests="1" skipped="0" failures="0" errors="0">' >"$report"
            done
        done
        """;

    private static final String ON_THE_HOST = """
        echo "host $1, $(nice)" >>CHECKOUT/calls
        mkdir -p ${4//%s/bench}
        echo '<testsuite name="a" tests="2" skipped="0" failures="0" errors="0">' >${4//%s/bench}/TEST-junit-jupiter.xml
        """;

    @TempDir
    private Path checkout;

    @BeforeEach
    void makeCheckout() throws IOException {
        Path tools = Files.createDirectories(checkout.resolve("tools/vm")).getParent();
        for (String file : List.of("reports.sh", "guests.sh")) {
            Files.copy(Path.of(System.getProperty("sluice.root"), "tools", file), tools.resolve(file));
        }
        write("tools/vm/prepare.sh", "");
        write("tools/junit.sh", ON_THE_HOST);
        java("");
        module("jni", "verbs");
        module("ib", "verbs");
        module("hybrid", "verbs", "verbs-deaths", "verbs-nodes");
        module("bench", "verbs", "verbs-nodes", "vm");
    }

    private void module(String name, String... tags) throws IOException {
        for (String tag : tags) {
            write(name + "/src/test/" + tag + ".java", "@Tag(\"" + tag + "\")\n    @Tag(\"long\")");
        }
    }

    private void java(String before) throws IOException {
        write("jdk/bin/java", JAVA.replace("BEFORE", before));
        assertTrue(checkout.resolve("jdk/bin/java").toFile().setExecutable(true));
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(checkout.resolve(file).getParent());
        Files.writeString(checkout.resolve(file), text.replace("CHECKOUT", checkout.toString()));
    }

    private List<String> told(String tier, String script, int status) throws Exception {
        String all =
                (BEGINNING + script).replace("CHECKOUT", checkout.toString()).replace("TIER", tier);
        Process process = new ProcessBuilder("bash", "-euo", "pipefail", "-c", all)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(50, TimeUnit.SECONDS), said);
        assertEquals(status, process.exitValue(), said);
        return said.lines().toList();
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(checkout.resolve("calls")).stream().sorted().toList();
    }

    @Test
    void eachJobIsDoneOnceAndCounted() throws Exception {
        List<String> told = told("long", RUN, 0);
        assertEquals(
                List.of(
                        "1 verbs hybrid",
                        "1 verbs ib",
                        "1 verbs jni bench",
                        "1 verbs-deaths hybrid",
                        "2 verbs-nodes hybrid bench",
                        "host vm"),
                calls().stream().map(call -> call.replaceAll(", .*", "")).toList());
        assertEquals(
                List.of(
                        "ib on JDK 17 in a guest, verbs: 1 passed, 0 failed, 0 skipped",
                        "hybrid on JDK 17 in a guest, verbs: 1 passed, 0 failed, 0 skipped",
                        "jni on JDK 17 in a guest, verbs: 1 passed, 0 failed, 0 skipped",
                        "bench on JDK 17 in a guest, verbs: 1 passed, 0 failed, 0 skipped",
                        "bench on JDK 17, booting guests: 2 passed, 0 failed, 0 skipped",
                        "hybrid on JDK 17 in a guest, verbs-deaths: 1 passed, 0 failed, 0 skipped",
                        "hybrid on JDK 17 in two guests, verbs-nodes: 2 passed, 0 failed, 0 skipped",
                        "bench on JDK 17 in two guests, verbs-nodes: 2 passed, 0 failed, 0 skipped",
                        "11 0 0"),
                told);
    }

    @Test
    void theFirstTierHasOneGuestForAllModulesAndLeavesOutClassesThatAreAllsOrLongs() throws Exception {
        write("hybrid/src/test/nodes.java", "@Tag(\"all\")\n@Tag(\"verbs-nodes\")");
        Files.delete(checkout.resolve("hybrid/src/test/verbs-nodes.java"));
        Files.delete(checkout.resolve("bench/src/test/verbs-nodes.java"));
        write("bench/src/test/vm.java", "@Tag(\"all\")\n@Tag(\"vm\")");
        told("first", RUN, 0);
        assertEquals(
                List.of("1 verbs jni ib hybrid bench", "1 verbs-deaths hybrid"),
                calls().stream().map(call -> call.replaceAll(", .*", "")).toList());
        Files.delete(checkout.resolve("calls"));
        write("hybrid/src/test/verbs-deaths.java", "@Tag(\"long\")\n@Tag(\"verbs-deaths\")");
        told("all", RUN, 0);
        assertEquals(
                List.of("1 verbs hybrid", "1 verbs ib", "1 verbs jni bench", "2 verbs-nodes hybrid", "host vm"),
                calls().stream().map(call -> call.replaceAll(", .*", "")).toList());
        Files.delete(checkout.resolve("calls"));
        told("first", RUN, 0);
        assertEquals(
                List.of("1 verbs jni ib hybrid bench"),
                calls().stream().map(call -> call.replaceAll(", .*", "")).toList());
    }

    @Test
    void theLongTierLeavesOutWhatHasNoLongTests() throws Exception {
        write("ib/src/test/verbs.java", "@Tag(\"verbs\")");
        for (String tag : List.of("verbs", "verbs-nodes", "vm")) {
            write("bench/src/test/" + tag + ".java", "@Tag(\"" + tag + "\")");
        }
        write("bench/src/test/host.java", "@Tag(\"long\")");
        told("long", RUN, 0);
        assertEquals(
                List.of("1 verbs hybrid", "1 verbs jni", "1 verbs-deaths hybrid", "2 verbs-nodes hybrid"),
                calls().stream().map(call -> call.replaceAll(", .*", "")).toList());
    }

    /** The lane that begins then goes on to the end. */
    @Test
    void besideOthersGuestsHaveTheLowerPriority() throws Exception {
        List<String> told = told(
                "first",
                "begin_guests\n"
                        + "while [ \"$(wc -l <CHECKOUT/calls)\" != 4 ]; do sleep 0.05; done 2>/dev/null\n"
                        + "finish_guests",
                0);
        assertTrue(told.get(0).startsWith("sluice: testing in guests, beside all else"), told::toString);
        for (String call : calls()) {
            assertTrue(call.endsWith(", 5"), call);
        }
    }

    @Test
    void whereTheKernelPanickedTheTestsRunOnceMoreAndEverybodyIsTold() throws Exception {
        java("if [ $tag = verbs-deaths ] && mkdir CHECKOUT/seen; then echo 'Kernel panic; ended before its command"
                + " did'; exit 1; fi");
        List<String> told = told("long", RUN, 0);
        assertTrue(
                told.contains(
                        "sluice: the kernel of a guest panicked under tests with the tag verbs-deaths of hybrid; they"
                                + " ran once more (its words are in the log)"),
                told::toString);
        assertEquals("11 0 0", told.get(told.size() - 1));
        assertEquals(2, calls().stream().filter(call -> call.contains("deaths")).count());
    }

    @Test
    void whoLeavesNoReportOrEndsBadlyHasFailed() throws Exception {
        java("case $tag-$1 in verbs-ib) echo why; exit 1 ;; verbs-deaths-hybrid) trap 'exit 7' EXIT ;; esac");
        List<String> told = told("long", RUN, 0);
        assertTrue(
                told.contains("why") && told.contains("  failed: the tests in guest 0: they left no report"),
                told::toString);
        assertEquals("10 1 0", told.get(told.size() - 1));
        assertTrue(told.contains("The whole log: " + checkout.resolve(".build/vm-test.log")), told::toString);
        java("[ $tag != verbs-deaths ] || trap 'exit 7' EXIT");
        told = told("long", RUN, 0);
        assertTrue(told.contains("the VM: 0 passed, 1 failed, 0 skipped"), told::toString);
        assertEquals("11 1 0", told.get(told.size() - 1));
    }

    @Test
    void whereNoModuleHasTestsForGuestsNothingHasPassed() throws Exception {
        for (String module : List.of("jni", "ib", "hybrid", "bench")) {
            for (String tag : List.of("verbs", "verbs-deaths", "verbs-nodes", "vm")) {
                Files.deleteIfExists(checkout.resolve(module + "/src/test/" + tag + ".java"));
            }
        }
        assertEquals(List.of("the VM: no test ran", "0 1 0"), told("long", RUN, 0));
    }

    @Test
    void whoeverEndsTheTestsEndsTheGuests() throws Exception {
        java("echo $$ >CHECKOUT/pid; exec sleep 1000");
        told("first", "begin_guests\nwhile [ ! -s CHECKOUT/pid ]; do sleep 0.05; done\nexit 3", 3);
        long pid = Long.parseLong(Files.readString(checkout.resolve("pid")).strip());
        ProcessHandle.of(pid)
                .ifPresent(
                        guest -> guest.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    }
}
