package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A guest gets the command as it was typed: a real shell reads what is written for it. */
final class GuestScriptTest {
    @TempDir
    private Path home;

    private VmRequest request(Map<String, String> environment, String fault, String... command) {
        return new VmRequest(
                home,
                2,
                0,
                fault == null ? FaultPlan.NONE : FaultPlan.parse(fault, 2),
                0,
                home.resolve("a 'folder'"),
                environment,
                List.of(command));
    }

    /** What a shell prints that reads the script, with the given lines in place of tools/vm/guest.sh. */
    private String inShell(VmRequest request, String guest) throws Exception {
        Files.createDirectories(home.resolve("tools/vm"));
        Files.writeString(home.resolve("tools/vm/guest.sh"), guest);
        Path start = home.resolve("start");
        Files.writeString(start, GuestScript.text(request, 1, home.resolve("out"), "[mark]"));
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", start.toString()).redirectErrorStream(true);
        builder.environment().clear();
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
        return said;
    }

    @Test
    void wordsStayWords() throws Exception {
        String[] command = {"printf", "a  b", "", "it's", "$HOME `x` \"q\" \\", "*", "line\nline"};
        assertEquals(
                "<printf><a  b><><it's><$HOME `x` \"q\" \\><*><line\nline>",
                inShell(request(Map.of(), null, command), "printf '<%s>' \"${command[@]}\"\n"));
    }

    @Test
    void placesAndNumbersAreKnown() throws Exception {
        assertEquals(
                home + "/a 'folder'|1|2|10.9.0.2|" + home + "/out|[mark]|1|2|" + home + "/out",
                inShell(
                        request(Map.of(), null, "true"),
                        "printf '%s' \"$directory|$node|$nodes|$address|$out|$mark|$SLUICE_VM_NODE|"
                                + "$SLUICE_VM_NODES|$SLUICE_VM_OUT\"\n"));
    }

    @Test
    void theEnvironmentIsWhatMakesSenseInAGuest() throws Exception {
        String said = inShell(
                request(
                        Map.of(
                                "PATH",
                                "/opt/it's/bin",
                                "JAVA_HOME",
                                "/jdk",
                                "LC_ALL",
                                "C",
                                "SLUICE_PEEK",
                                "on",
                                "SLUICE_JOB_RANK",
                                "0",
                                "DISPLAY",
                                ":0",
                                "http_proxy",
                                "x"),
                        null,
                        "true"),
                "/usr/bin/env\n");
        assertTrue(said.contains("PATH=/opt/it's/bin:/usr/local/sbin:"), said);
        assertTrue(
                said.contains("JAVA_HOME=/jdk\n") && said.contains("LC_ALL=C\n") && said.contains("SLUICE_PEEK=on\n"),
                said);
        assertTrue(
                !said.contains("SLUICE_JOB_RANK") && !said.contains("DISPLAY") && !said.contains("http_proxy"), said);
    }

    @Test
    void aFaultThatCannotBeMadeFails() throws Exception {
        String said = inShell(
                request(Map.of(), "down,loss=1%@1ms,up=0@2ms", "true"),
                "ip() { echo ip \"$@\"; }; tc() { return 1; }\n"
                        + "fault_at_start && echo good; faults_later || echo bad\n");
        assertEquals("ip link set d0 down\ngood\ntc qdisc replace dev d0 root netem limit 20000 loss 1%\nbad\n", said);
    }

    @Test
    void badRequestsAreRefused() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> request(Map.of(), null))
                .getMessage()
                .contains("no command"));
        assertTrue(assertThrows(
                        IllegalArgumentException.class, () -> request(Map.of("SLUICE_VM_NODE", "0"), null, "true"))
                .getMessage()
                .contains("this is a guest"));
        for (int nodes : new int[] {-1, 0, 5}) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> VmRequest.checkNodes(nodes))
                    .getMessage()
                    .contains("1 to 4 are allowed"));
        }
    }

    @Test
    void aHostThatIsTooSmallIsNamed() throws Exception {
        assertEquals(new HostShare(2, 6144), HostShare.of(1, 2, 24_000));
        assertEquals(new HostShare(1, 1200), HostShare.of(2, 2, 3600));
        assertEquals(new HostShare(1, 1536), HostShare.of(4, 2, 24_000));
        assertEquals(4, HostShare.of(1, 64, 24_000).processors());
        String message =
                assertThrows(VmFailure.class, () -> HostShare.of(2, 2, 3000)).getMessage();
        assertTrue(message.contains("1000 MB for each of 2"), message);
    }
}
