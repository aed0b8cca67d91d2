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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code ./sluice test} tells of a layer: its counts, which tests failed and with what, which were left out and
 * why.
 */
final class TestReportsProcessTest {
    private static final String COUNTED = """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="JUnit Jupiter" tests="8" skipped="2" failures="2" errors="2" time="3.9" hostname="sluice-vm0">
        <testcase name="fine()" classname="org.sluice.ib.A" time="0.9">
        </testcase>
        """;

    @TempDir
    private Path checkout;

    private void report(String cases) throws IOException {
        Path reports = Files.createDirectories(checkout.resolve("ib/target/verbs-reports"));
        Files.writeString(reports.resolve("TEST-node0.xml"), COUNTED + cases + "</testsuite>\n");
    }

    private List<String> told() throws IOException, InterruptedException {
        Path script = Path.of(System.getProperty("sluice.root"), "tools", "reports.sh");
        Process process = new ProcessBuilder(
                        "bash",
                        "-euo",
                        "pipefail",
                        "-c",
                        ". " + script
                                + "; root=$1; report_module ib verbs-reports '17 in a guest'; echo $passed $failed"
                                + " $skipped",
                        "bash",
                        checkout.toString())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
        assertEquals(0, process.exitValue(), said);
        return said.lines().toList();
    }

    @Test
    void eachFailureIsToldWithTheBeginningOfItsMessageAndItsPlace() throws Exception {
        report("""
            <testcase name="both()" classname="org.sluice.ib.A" time="0.9">
            <failure message="&#10;a &amp; b &lt;c&gt; &quot;d&quot; ==&gt; expected: &lt;1&gt;&#10;the next line" \
            type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: a & b
            	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:38)
            	at org.sluice.ib.A.both(A.java:70)
            	at org.sluice.ib.A.more(A.java:71)
            ]]></failure>
            </testcase>
            <testcase name="silent()[2]" classname="org.sluice.ib.A" time="0.9">
            <error type="java.lang.NullPointerException"><![CDATA[java.lang.NullPointerException
            	at java.base/java.util.Objects.requireNonNull(Objects.java:208)
            ]]></error>
            <system-out><![CDATA[
            	at org.sluice.ib.A.printed(A.java:99)
            ]]></system-out>
            </testcase>
            <testcase name="late()" classname="org.sluice.ib.B" time="0.9">
            <error message="late() timed out after 180 seconds" type="java.util.concurrent.TimeoutException">\
            <![CDATA[java.util.concurrent.TimeoutException
            	at app//org.sluice.ib.B.late(B.java:5)
            ]]></error>
            </testcase>
            <testcase name="the tests in guest 1" classname="">
            <error message="they left no report"/>
            </testcase>
            <testcase name="other()" classname="org.sluice.ib.B" time="0.9">
            <skipped><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: no second node]]></skipped>
            </testcase>
            <testcase name="newer()" classname="org.sluice.ib.C" time="0">
            <skipped><![CDATA[parent was skipped: Disabled on JRE version: 17.0.15 ==> it came with Java 22]]></skipped>
            </testcase>
            """);
        assertEquals(
                List.of(
                        "ib on JDK 17 in a guest: 2 passed, 4 failed, 2 skipped",
                        "  failed: org.sluice.ib.A.both(): a & b <c> \"d\" ==> expected: <1> the next line"
                                + " (A.java:70)",
                        "  failed: org.sluice.ib.A.silent()[2]: NullPointerException",
                        "  failed: org.sluice.ib.B.late(): TimeoutException: late() timed out after 180 seconds"
                                + " (B.java:5)",
                        "  failed: the tests in guest 1: they left no report",
                        "  skipped: org.sluice.ib.B.other(): no second node",
                        "  skipped: org.sluice.ib.C.newer(): it came with Java 22",
                        "2 4 2"),
                told());
    }

    @Test
    void ofALongMessageThereIsTheBeginning() throws Exception {
        report("<testcase name=\"long()\" classname=\"org.sluice.ib.A\" time=\"0.9\">\n<failure message=\""
                + "word ".repeat(200) + "&#13;&#10;\" type=\"org.opentest4j.AssertionFailedError\"/>\n</testcase>\n");
        assertEquals("  failed: org.sluice.ib.A.long(): " + "word ".repeat(79) + "word ...", told().get(1));
    }

    @Test
    void aLayerWithoutAReportHasFailed() throws Exception {
        assertEquals(List.of("ib on JDK 17 in a guest: no test ran", "0 1 0"), told());
    }
}
