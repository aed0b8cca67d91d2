package org.sluice.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.TestRank;
import org.sluice.tcp.connect.ConnectionState;

/** A machine that is gone is found out; a rank that makes no call is not taken for one. */
@Tag("once")
final class SilenceTest {
    private static final int KEEPALIVE_MS = 3000;

    @Test
    @Tag("all")
    void aMachineThatVanishesUnderTrafficIsFoundInTime() throws Exception {
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "only root can make a network");
        for (String tool : new String[] {"/usr/bin/unshare", "/usr/sbin/ip"}) {
            assumeTrue(Files.isExecutable(Path.of(tool)), "there is no " + tool);
        }
        Process process = new ProcessBuilder(
                        "unshare",
                        "--net",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        VanishedMachineMain.class.getName(),
                        Integer.toString(KEEPALIVE_MS))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        // What newer JVMs say of native code comes in paragraphs.
        List<String> lines = output.lines()
                .filter(line -> !line.startsWith("WARNING") && !line.isBlank())
                .collect(Collectors.toList());
        assertTrue(lines.get(0).contains("has not answered for 3000 ms"), output);
        assertTrue(lines.get(1).contains("has not answered for 3000 ms"), output);
        long tookMs = Long.parseLong(lines.get(2));
        assertTrue(tookMs < 3L * KEEPALIVE_MS * Integer.getInteger("sluice.test.patience", 1), output);
    }

    @Test
    @Tag("all")
    void aRankThatMakesNoCallIsNoDeadMachine() throws Exception {
        TestRank[] ranks = TcpRanks.joined(2, TcpRanks.options("sluice.tcp.keepalive.ms", "3000"));
        try {
            // Neither reads for longer than a machine may be silent.
            ranks[0].send(1, 1, new byte[8]);
            ranks[1].send(0, 2, new byte[8]);
            Thread.sleep(2 * KEEPALIVE_MS);
            assertEquals(ConnectionState.READY, TcpRanks.channel(ranks[0]).state(1));
            assertEquals(ConnectionState.READY, TcpRanks.channel(ranks[1]).state(0));
            assertEquals(1, ranks[1].receive().tag());
            assertEquals(2, ranks[0].receive().tag());
        } finally {
            for (TestRank each : ranks) {
                each.channel.close();
            }
        }
    }
}
